/** The pane: the same in Word and in the playground. `mountPane` is its only door. */

import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { t } from "../i18n/t";
import type { ExampleView, StepView } from "../session/messages";
import type { Session } from "../session/session";
import { isWorking, stepsInDocument, stepsInReview } from "../session/state";
import type { SessionState } from "../session/state";
import { Announcer } from "./announcer";
import { ConnectionBar, Problems } from "./bars";
import { ConflictDialog, UndoAllDialog } from "./dialogs";
import { useSessionState } from "./hooks";
import { PendingGroup, RequestGroup } from "./request-group";
import { RequestBox } from "./request-box";
import type { StepActions } from "./step-card";
import { stepButtonId, stepTitleId } from "./step-card";

import "./tokens.css";
import "./base.css";
import "./pane.css";

const COMMANDS_HEADING = "steps-to-review";

export interface PaneOptions {
  session: Session;
  /** Offered when the server has ended the session for good; without it, loading the page again is. */
  onEnded?: { text: string; act: () => void };
  /** The user has just asked for this pane, so the request box may take the focus. */
  focus?: boolean;
}

/** Show the pane of a session in `root`. Returns how to take it away again. */
export function mountPane(root: HTMLElement, options: PaneOptions): () => void {
  root.dataset.host = options.session.host.kind;
  render(<Pane {...options} />, root);
  return () => render(null, root);
}

export function Pane({ session, onEnded, focus = false }: PaneOptions) {
  const state = useSessionState(session);
  const [draft, setDraft] = useState("");
  const [stopping, setStopping] = useState(false);
  const [undoingAll, setUndoingAll] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const working = isWorking(state);

  useEffect(() => {
    if (!working) setStopping(false);
  }, [working]);
  useEffect(() => {
    if (focus) box.current?.focus();
  }, [focus, session]);

  const fill = (text: string) => {
    setDraft(text);
    box.current?.focus();
  };
  const send = () => {
    const text = draft.trim();
    if (text === "") return;
    setDraft("");
    void session.ask(text);
  };
  const stop = () => {
    if (!working || stopping) return;
    setStopping(true);
    session.stop();
  };
  const actions: StepActions = {
    keep: (step) => {
      session.keep([step.id]);
      focusAfter(state, step, "keep");
    },
    undo: (step) => {
      session.undo([step.id]);
      focusAfter(state, step, "undo");
    },
    redo: (step) => {
      session.redo(step.id);
      focusSoon(stepTitleId(step.id));
    },
    show: (step) => {
      void session.showBlocks(step.blocks).then((found) => {
        if (!found) session.report("NOT_FOUND", t("step.show.gone"));
      });
    },
    choose: fill,
  };

  return (
    <main
      class="pane"
      onKeyDown={(event) => {
        const inDialog = (event.target as Element).closest("dialog");
        if (event.key === "Escape" && !inDialog && !event.isComposing) stop();
      }}
    >
      <h1 class="visually-hidden">{t("app.name")}</h1>
      {state.steps.length > 0 && (
        <Commands
          state={state}
          onKeepAll={() => {
            session.keepAll();
            focusSoon(COMMANDS_HEADING);
          }}
          onUndoAll={() => setUndoingAll(true)}
        />
      )}
      <ConnectionBar
        connection={state.connection}
        wasThere={state.ready}
        onRetry={() => session.retryConnection()}
        onEnded={onEnded ?? { text: t("connection.reload"), act: () => location.reload() }}
      />
      <Problems problems={state.problems} onDismiss={(id) => session.dismissProblem(id)} />
      <Log state={state} session={session} actions={actions} onExample={fill} />
      <RequestBox
        draft={draft}
        box={box}
        working={working}
        stopping={stopping}
        onDraft={setDraft}
        onSend={send}
        onStop={stop}
      />
      <p class="planner">{plannerText(state)}</p>
      <Announcer state={state} />
      {state.conflict && (
        <ConflictDialog
          conflict={state.conflict}
          state={state}
          onSettle={(undoThemToo) => {
            const step = state.conflict?.step ?? 0;
            session.settleConflict(undoThemToo);
            // The button that had the focus goes away with the undoing.
            if (undoThemToo) focusSoon(stepTitleId(step));
          }}
        />
      )}
      {undoingAll && (
        <UndoAllDialog
          count={stepsInDocument(state).length}
          onAnswer={(undo) => {
            setUndoingAll(false);
            if (!undo) return;
            session.undoAll();
            focusSoon(COMMANDS_HEADING);
          }}
        />
      )}
    </main>
  );
}

interface CommandsProps {
  state: SessionState;
  onKeepAll: () => void;
  onUndoAll: () => void;
}

function Commands({ state, onKeepAll, onUndoAll }: CommandsProps) {
  const count = stepsInReview(state).length;
  return (
    <div class="commands">
      <p id={COMMANDS_HEADING} tabIndex={-1}>
        {count > 0 ? t("all.review", { count }) : t("all.reviewed")}
      </p>
      <div role="group" aria-label={t("pane.commands")}>
        <button type="button" class="button small" disabled={count === 0} onClick={onKeepAll}>
          {t("all.keep")}
        </button>
        <button
          type="button"
          class="button small subtle"
          disabled={stepsInDocument(state).length === 0}
          onClick={onUndoAll}
        >
          {t("all.undo")}
        </button>
      </div>
    </div>
  );
}

interface LogProps {
  state: SessionState;
  session: Session;
  actions: StepActions;
  onExample: (text: string) => void;
}

/** Requests and their steps. Follows its end while the user is there, and stays put when they have scrolled up. */
function Log({ state, session, actions, onExample }: LogProps) {
  const log = useRef<HTMLElement>(null);
  const following = useRef(true);
  const pending = useRef(0);
  useLayoutEffect(() => {
    // Whoever has just asked for something wants to see what comes of it.
    if (state.pending.length > pending.current) following.current = true;
    pending.current = state.pending.length;
    if (following.current && log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [state.steps, state.requests, state.pending]);
  const empty = state.requests.length === 0 && state.pending.length === 0;
  return (
    <section
      ref={log}
      class="log"
      aria-label={t("pane.label")}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        following.current = scrollTop + clientHeight >= scrollHeight - 48;
      }}
    >
      {!state.ready && <p class="loading">{t("pane.loading")}</p>}
      {state.ready && empty && <Welcome examples={state.examples} onExample={onExample} />}
      {state.requests.map((request) => (
        <RequestGroup
          key={request.id}
          request={request}
          steps={state.steps.filter((step) => step.request === request.id)}
          actions={actions}
        />
      ))}
      {state.pending.map((request) => (
        <PendingGroup
          key={request.clientId}
          request={request}
          offline={state.connection.phase !== "online"}
          onWithdraw={() => session.withdraw(request.clientId)}
        />
      ))}
    </section>
  );
}

function Welcome({
  examples,
  onExample,
}: {
  examples: readonly ExampleView[];
  onExample: (text: string) => void;
}) {
  return (
    <div class="welcome">
      <h2>{t("pane.empty.title")}</h2>
      <p>{t("pane.empty.text")}</p>
      {examples.length > 0 && (
        <>
          <p class="label" id="examples">
            {t("pane.empty.examples")}
          </p>
          <ul aria-labelledby="examples">
            {examples.map((example) => (
              <li key={example.text}>
                <button type="button" class="suggestion" onClick={() => onExample(example.text)}>
                  {example.text}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function plannerText(state: SessionState): string {
  if (!state.ready) return "";
  if (state.planner === "local") return t("planner.local");
  return state.model ? t("planner.llm", { model: state.model }) : t("planner.llm.unnamed");
}

/** The button that was pressed goes away: on to the same button of the next step, else to this step's title. */
function focusAfter(state: SessionState, step: StepView, action: "keep" | "undo"): void {
  const later = state.steps.slice(state.steps.indexOf(step) + 1);
  const next = later.find((one) => document.getElementById(stepButtonId(one, action)));
  const id = next ? stepButtonId(next, action) : stepTitleId(step.id);
  document.getElementById(id)?.focus();
}

/** Focus an element once what has just been asked for is on the page. */
function focusSoon(id: string): void {
  setTimeout(() => document.getElementById(id)?.focus());
}
