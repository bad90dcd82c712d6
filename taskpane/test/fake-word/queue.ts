/**
 * Office.js's deferred calls, strict: nothing happens before `sync`, a property that was not loaded throws, a sync stops
 * at the first call that fails and keeps what the calls before it did [word-host: inferred, to be tried on real Word].
 */

export class OfficeError extends Error {
  override readonly name = "RichApi.Error";
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

type Call = () => void;

/** How the next sync that writes goes wrong. */
export type Fault =
  /** The first write is refused; nothing happens. */
  | "refuses"
  /** The first write happens, the second is refused. */
  | "refuses-later"
  /** Everything happens, and an error is reported (issue 3300). */
  | "applies-and-fails"
  /** Nothing happens, and success is reported (issue 3033). */
  | "does-nothing"
  /** Everything happens, and the answer never comes (issue 4941). */
  | "hangs";

export interface Faults {
  next: Fault | null;
  /** Called before the next sync that writes: the user types meanwhile. */
  beforeWrite: (() => void) | null;
  syncs: number;
  writes: number;
}

export class FakeContext {
  private queue: { call: Call; writes: boolean }[] = [];

  constructor(private readonly faults: Faults) {}

  enqueue(call: Call, writes = false): void {
    this.queue.push({ call, writes });
  }

  async sync(): Promise<void> {
    const calls = this.queue;
    this.queue = [];
    await new Promise((resolve) => setTimeout(resolve)); // never in the same turn
    this.faults.syncs++;
    const writing = calls.some(({ writes }) => writes);
    let fault: Fault | null = null;
    if (writing) {
      this.faults.writes++;
      const meanwhile = this.faults.beforeWrite;
      this.faults.beforeWrite = null;
      meanwhile?.();
      fault = this.faults.next;
      this.faults.next = null;
    }
    let done = 0;
    for (const { call, writes } of calls) {
      if (writes && fault === "does-nothing") continue;
      if (writes && (fault === "refuses" || (fault === "refuses-later" && done > 0))) {
        throw new OfficeError("GeneralException", "We're sorry, but something went wrong.");
      }
      call();
      if (writes) done++;
    }
    if (fault === "applies-and-fails") {
      throw new OfficeError(
        "GeneralException",
        "There was an internal error while processing the request.",
      );
    }
    if (fault === "hangs") await new Promise(() => undefined);
  }
}

/** A proxy: scalar properties are readable after `load` and `sync` only. */
export abstract class Proxied {
  private readonly loaded = new Map<string, unknown>();

  constructor(readonly context: FakeContext) {}

  protected abstract readonly readers: Record<string, () => unknown>;

  load(names: string): this {
    const wanted = this.known(names);
    this.context.enqueue(() => {
      this.fill(wanted);
    });
    return this;
  }

  /** Take the values as they are now. */
  fill(names: string[]): void {
    for (const name of names) this.loaded.set(name, this.readers[name]?.());
  }

  known(names: string): string[] {
    const wanted = names.split(",").map((name) => name.trim());
    for (const name of wanted) {
      if (!(name in this.readers)) throw new OfficeError("InvalidArgument", `cannot load ${name}`);
    }
    return wanted;
  }

  protected read<T>(name: string): T {
    if (!this.loaded.has(name)) {
      throw new OfficeError(
        "PropertyNotLoaded",
        `The property '${name}' is not available. Before reading the property's value, call the load method on the containing object and call "context.sync()" on the associated request context.`,
      );
    }
    return this.loaded.get(name) as T;
  }
}

/** The value of a method that returns one: readable after `sync`. */
export class FakeResult<T> {
  private settled: { value: T } | null = null;

  set(value: T): void {
    this.settled = { value };
  }

  get value(): T {
    if (!this.settled) {
      throw new OfficeError(
        "ValueNotLoaded",
        "The value of the result object has not been loaded yet.",
      );
    }
    return this.settled.value;
  }
}
