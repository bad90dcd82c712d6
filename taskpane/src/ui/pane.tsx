/** The pane: the same in Word and in the playground. `mountPane` is its only door. */

import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { t } from "../i18n/t";
import type { Session } from "../session/session";
import { isWorking, stepsInDocument } from "../session/state";
import type { SessionState } from "../session/state";
import { Announcer } from "./announcer";
import { ConnectionBar, Problems } from "./bars";
import { Commands, COMMANDS_HEADING } from "./commands";
import { ConflictDialog, UndoAllDialog } from "./dialogs";
import { focusAfter, focusSoon } from "./focus";
import { useSessionState } from "./hooks";
import { Log } from "./log";
import { REQUEST_ID, RequestBox } from "./request-box";
import type { StepActions } from "./step-card";
import { stepTitleId } from "./step-card";

import "./tokens.css";
import "./base.css";
import "./pane.css";

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
  const dismiss = (problem: number) => {
    session.dismissProblem(problem);
    focusSoon(REQUEST_ID);
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
      <Problems problems={state.problems} onDismiss={dismiss} />
      <Log state={state} session={session} actions={actions} onExample={fill} />
      <RequestBox
        draft={draft}
        box={box}
        working={working}
        stopping={stopping}
        onDraft={setDraft}
        onSend={send}
        onStop={stop}
        attachments={state.attachments}
        uploading={state.uploading}
        onAttach={(files) => void session.attach(files)}
        onDetach={(name) => session.detach(name)}
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

function plannerText(state: SessionState): string {
  if (!state.ready) return "";
  if (state.planner === "local") return t("planner.local");
  return state.model ? t("planner.llm", { model: state.model }) : t("planner.llm.unnamed");
}
