/** The `Word` namespace over the fake's document: the members of WordApi 1.1 to 1.3 that the pane uses, and no others. */

import { ancestors, type OpenDocument } from "./document";
import { FakeContext, FakeResult, OfficeError, Proxied, type Faults } from "./queue";
import { is } from "./xml";

type Find = () => Element;

/** What the user has selected: first and last block of the body; -1 is a bare cursor. */
export interface FakeSelection {
  first: number;
  last: number;
}

export interface FakeState {
  document: OpenDocument;
  faults: Faults;
  selection: FakeSelection;
}

export function wordNamespace(state: FakeState): unknown {
  return {
    run: async <T>(batch: (context: FakeRequestContext) => Promise<T>): Promise<T> =>
      await batch(new FakeRequestContext(state)),
  };
}

class FakeRequestContext extends FakeContext {
  readonly document: FakeDocument;

  constructor(readonly state: FakeState) {
    super(state.faults);
    this.document = new FakeDocument(this);
  }
}

class FakeDocument {
  readonly body: FakeBody;

  constructor(private readonly context: FakeRequestContext) {
    this.body = new FakeBody(context);
  }

  getSelection(): FakeRange {
    const { document, selection } = this.context.state;
    const [first, last] = [selection.first, selection.last].map(
      (at) => document.blocks()[Math.max(0, at)],
    );
    if (!first || !last) throw new Error("nothing to select");
    return new FakeRange(
      this.context,
      () => first,
      () => last,
      selection.first < 0,
    );
  }
}

class FakeBody {
  constructor(private readonly context: FakeRequestContext) {}

  get paragraphs(): FakeCollection<FakeParagraph> {
    return paragraphCollection(this.context, () => this.context.state.document.paragraphs());
  }

  get tables(): FakeCollection<FakeTable> {
    const { document } = this.context.state;
    return new FakeCollection(this.context, () =>
      document.tables().map((table) => new FakeTable(this.context, existing(table))),
    );
  }
}

class FakeCollection<Item extends Proxied> {
  private found: Item[] | null = null;

  constructor(
    readonly context: FakeContext,
    private readonly list: () => Item[],
  ) {}

  load(names: string): this {
    const wanted = names.replace(/\bitems\//g, "");
    this.context.enqueue(() => {
      this.found = this.list();
      for (const item of this.found) item.fill(item.known(wanted));
    });
    return this;
  }

  get items(): Item[] {
    if (!this.found)
      throw new OfficeError("PropertyNotLoaded", "The property 'items' is not available.");
    return this.found;
  }
}

function paragraphCollection(
  context: FakeRequestContext,
  list: () => Element[],
): FakeCollection<FakeParagraph> {
  return new FakeCollection(context, () =>
    list().map((paragraph) => new FakeParagraph(context, existing(paragraph))),
  );
}

/** A proxy of an element that was there: once it is gone, ItemNotFound. */
function existing(element: Element): Find {
  return () => {
    if (!element.isConnected) {
      throw new OfficeError("ItemNotFound", "The requested resource doesn't exist.");
    }
    return element;
  };
}

class FakeParagraph extends Proxied {
  constructor(
    private readonly owner: FakeRequestContext,
    private readonly find: Find,
  ) {
    super(owner);
  }

  protected readonly readers = {
    text: () => this.owner.state.document.text(this.find()),
    tableNestingLevel: () => level(this.find()),
  };

  get text(): string {
    return this.read("text");
  }

  get tableNestingLevel(): number {
    return this.read("tableNestingLevel");
  }

  get parentTable(): FakeTable {
    return new FakeTable(this.owner, () => {
      const table = ancestors(this.find()).find((up) => is(up, "tbl"));
      if (!table) throw new OfficeError("ItemNotFound", "The requested resource doesn't exist.");
      return table;
    });
  }

  /** The control that holds the whole paragraph; one inside it does not count. */
  get parentContentControlOrNullObject(): FakeControl {
    return new FakeControl(this.owner, () => {
      const paragraph = this.find();
      const control = ancestors(paragraph).find((up) => is(up, "sdt"));
      return control && ancestors(control).every((up) => !is(up, "p")) ? control : null;
    });
  }

  getRange(location = "Whole"): FakeRange {
    return new FakeRange(this.owner, ...whole(this.find, location));
  }

  delete(): void {
    this.owner.enqueue(() => this.owner.state.document.deleteParagraph(this.find()), true);
  }
}

class FakeControl extends Proxied {
  constructor(
    owner: FakeRequestContext,
    private readonly find: () => Element | null,
  ) {
    super(owner);
  }

  protected readonly readers = {
    id: () => controlId(this.find()),
    isNullObject: () => !this.find(),
  };

  override fill(names: string[]): void {
    super.fill([...names, "isNullObject"]);
  }

  get id(): number {
    return this.read("id");
  }

  get isNullObject(): boolean {
    return this.read("isNullObject");
  }
}

const controlIds = new WeakMap<Element, number>();
let lastControlId = 0;

function controlId(control: Element | null): number {
  if (!control) return 0;
  let id = controlIds.get(control);
  if (id === undefined) controlIds.set(control, (id = ++lastControlId));
  return id;
}

class FakeTable extends Proxied {
  constructor(
    private readonly owner: FakeRequestContext,
    private readonly find: Find,
  ) {
    super(owner);
  }

  protected readonly readers = { nestingLevel: () => level(this.find()) + 1 };

  get nestingLevel(): number {
    return this.read("nestingLevel");
  }

  getRange(location = "Whole"): FakeRange {
    return new FakeRange(this.owner, ...whole(this.find, location));
  }

  insertParagraph(text: string, location: string): FakeParagraph {
    let made: Element | null = null;
    this.owner.enqueue(() => {
      made = this.owner.state.document.insertParagraph(this.find(), text, location);
    }, true);
    return new FakeParagraph(this.owner, () => {
      if (!made) throw new OfficeError("ItemNotFound", "The requested resource doesn't exist.");
      return made;
    });
  }

  delete(): void {
    this.owner.enqueue(() => {
      this.find().remove();
    }, true);
  }
}

/** A range of whole blocks, from one to another. */
class FakeRange extends Proxied {
  constructor(
    private readonly owner: FakeRequestContext,
    private readonly first: Find,
    private readonly last: Find,
    private readonly bare = false,
  ) {
    super(owner);
  }

  protected readonly readers = {
    text: () =>
      this.bare
        ? ""
        : this.elements()
            .map((p) => this.owner.state.document.text(p))
            .join("\r"),
  };

  get text(): string {
    return this.read("text");
  }

  get paragraphs(): FakeCollection<FakeParagraph> {
    return paragraphCollection(this.owner, () => this.elements());
  }

  getOoxml(): FakeResult<string> {
    const result = new FakeResult<string>();
    this.owner.enqueue(() => {
      result.set(this.owner.state.document.exportFlat([this.first()]));
    });
    return result;
  }

  insertOoxml(ooxml: string, location: string): FakeRange {
    if (!["Replace", "Before", "After"].includes(location)) {
      throw new OfficeError("InvalidArgument", `the fake's insertOoxml does not know ${location}`);
    }
    this.owner.enqueue(() => {
      try {
        this.owner.state.document.insertOoxml(this.first(), ooxml, location);
      } catch (error) {
        if (error instanceof OfficeError) throw error;
        console.warn("insertOoxml:", error); // Word says no more than this; the test's author may want to know
        throw new OfficeError("GeneralException", "We're sorry, but something went wrong.");
      }
    }, true);
    return this;
  }

  compareLocationWith(other: FakeRange): FakeResult<string> {
    const result = new FakeResult<string>();
    this.owner.enqueue(() => {
      const order = this.owner.state.document.paragraphs();
      const [start, end] = this.span(order);
      const [otherStart, otherEnd] = other.span(order);
      if (end < otherStart) result.set(end + 1 === otherStart ? "AdjacentBefore" : "Before");
      else if (start > otherEnd) result.set(start === otherEnd + 1 ? "AdjacentAfter" : "After");
      else if (start === otherStart && end === otherEnd) result.set("Equal");
      else if (start <= otherStart && end >= otherEnd) result.set("Contains");
      else result.set("Inside");
    });
    return result;
  }

  select(): void {
    this.owner.enqueue(() => {
      const blocks = this.owner.state.document.blocks();
      this.owner.state.selection.first = blocks.indexOf(this.first());
      this.owner.state.selection.last = blocks.indexOf(this.last());
    });
  }

  private elements(): Element[] {
    const { document } = this.owner.state;
    const order = document.paragraphs();
    const [start, end] = this.span(order);
    return order.slice(start, end + 1);
  }

  private span(order: Element[]): [number, number] {
    const { document } = this.owner.state;
    const at = (block: Element, pick: 0 | -1): number => {
      const inside = document.paragraphs(block).at(pick);
      return inside ? order.indexOf(inside) : -1;
    };
    return [at(this.first(), 0), at(this.last(), -1)];
  }
}

function whole(find: Find, location: string): [Find, Find] {
  if (location !== "Whole")
    throw new OfficeError("InvalidArgument", `the fake's getRange does not know ${location}`);
  return [find, find];
}

function level(element: Element): number {
  return ancestors(element).filter((up) => is(up, "tbl")).length;
}
