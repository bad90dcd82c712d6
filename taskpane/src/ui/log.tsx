/** The list of requests and their steps, and what stands there before the first one. */

import { useLayoutEffect, useRef } from "preact/hooks";

import { t } from "../i18n/t";
import type { ExampleView } from "../session/messages";
import type { Session } from "../session/session";
import type { SessionState } from "../session/state";
import { focusSoon } from "./focus";
import { REQUEST_ID } from "./request-box";
import { PendingGroup, RequestGroup } from "./request-group";
import type { StepActions } from "./step-card";

interface LogProps {
  state: SessionState;
  session: Session;
  actions: StepActions;
  onExample: (text: string) => void;
}

/** Requests and their steps. Follows its end while the user is there, and stays put when they have scrolled up. */
export function Log({ state, session, actions, onExample }: LogProps) {
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
          onWithdraw={() => {
            session.withdraw(request.clientId);
            focusSoon(REQUEST_ID);
          }}
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
