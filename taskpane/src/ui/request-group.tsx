/** One request and the steps it led to. */

import { t } from "../i18n/t";
import type { RequestView, StepView } from "../session/messages";
import type { PendingRequest } from "../session/state";
import { Icon, Spinner } from "./icons";
import type { StepActions } from "./step-card";
import { StepCard } from "./step-card";

interface RequestGroupProps {
  request: RequestView;
  steps: readonly StepView[];
  actions: StepActions;
}

export function RequestGroup({ request, steps, actions }: RequestGroupProps) {
  return (
    <section class="request" data-state={request.state} aria-labelledby={`request-${request.id}`}>
      <RequestHead
        id={`request-${request.id}`}
        text={request.text}
        state={stateWord(request, steps)}
      />
      {steps.length > 0 && (
        <ol class="steps" aria-label={t("step.list", { request: request.text })}>
          {steps.map((step) => (
            <StepCard key={step.id} step={step} actions={actions} />
          ))}
        </ol>
      )}
      {request.state === "working" && <Progress steps={steps} />}
      {request.summary && <p class="summary">{request.summary}</p>}
    </section>
  );
}

/** A request that the server has not confirmed: on its way, or waiting for the connection. */
export function PendingGroup({
  request,
  offline,
  onWithdraw,
}: {
  request: PendingRequest;
  offline: boolean;
  onWithdraw: () => void;
}) {
  const id = `pending-${request.clientId}`;
  return (
    <section class="request" data-state="queued" aria-labelledby={id}>
      <RequestHead
        id={id}
        text={request.text}
        state={t(offline ? "request.state.offline" : "request.state.sending")}
      />
      {offline && (
        <button
          type="button"
          class="button small subtle"
          aria-label={t("request.withdraw", { text: request.text })}
          onClick={onWithdraw}
        >
          <Icon name="close" />
          {t("dialog.cancel")}
        </button>
      )}
    </section>
  );
}

function RequestHead({ id, text, state }: { id: string; text: string; state: string }) {
  return (
    <div class="request-head">
      <h2 id={id}>
        <span class="visually-hidden">{t("request.you")}: </span>
        {text}
      </h2>
      <span class="request-state">{state}</span>
    </div>
  );
}

function stateWord(request: RequestView, steps: readonly StepView[]): string {
  if (request.state === "finished" && !request.complete) {
    const isPartly = steps.some((step) => step.state !== "not_done");
    return t(isPartly ? "request.state.partly" : "request.state.not_done");
  }
  return t(`request.state.${request.state}`);
}

/** A moving bar, since nobody knows how many steps there will be, and what is being done in words. */
function Progress({ steps }: { steps: readonly StepView[] }) {
  const at = steps.findIndex((step) => ["running", "checking", "retrying"].includes(step.state));
  const step = steps[at];
  const text = step
    ? t("request.progress.step", { number: at + 1, title: step.title })
    : t(steps.length > 0 ? "request.progress.next" : "request.progress.thinking");
  return (
    <div class="progress">
      <progress aria-label={t("request.progress")} />
      <p>
        {!step && <Spinner />}
        {text}
      </p>
    </div>
  );
}
