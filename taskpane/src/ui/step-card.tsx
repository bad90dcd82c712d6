/** One step: its state as icon and word, what it did, and what can be done about it. */

import { t } from "../i18n/t";
import type { StepView } from "../session/messages";
import type { IconName } from "./icons";
import { Icon, Spinner } from "./icons";
import { StepDetails } from "./step-details";

type State = StepView["state"];

const ICONS: Readonly<Record<State, IconName | "spinner">> = {
  planned: "clock",
  running: "spinner",
  checking: "spinner",
  retrying: "retry",
  review: "review",
  kept: "circle_check",
  undone: "undo",
  not_done: "blocked",
  undoing: "spinner",
};

export interface StepActions {
  keep: (step: StepView) => void;
  undo: (step: StepView) => void;
  redo: (step: StepView) => void;
  show: (step: StepView) => void;
  choose: (text: string) => void;
}

/** The element that takes the focus when a step's buttons go away. */
export function stepTitleId(step: number): string {
  return `step-${step}-title`;
}

export function stepButtonId(step: StepView, action: "keep" | "undo" | "redo"): string {
  return `step-${step.id}-${action}`;
}

export function StepCard({ step, actions }: { step: StepView; actions: StepActions }) {
  const icon = ICONS[step.state];
  const lastRetry = step.retries.at(-1);
  return (
    <li class="step" data-state={step.state} data-step={step.id}>
      <span class="step-icon">{icon === "spinner" ? <Spinner /> : <Icon name={icon} />}</span>
      <div class="step-body">
        <div class="step-head">
          <h3 id={stepTitleId(step.id)} tabIndex={-1}>
            {step.title}
          </h3>
          <span class="badge">{t(`step.state.${step.state}`)}</span>
        </div>
        {step.state === "retrying" && lastRetry && (
          <p class="explanation">{t("step.retry.reason", { reason: lastRetry.reason })}</p>
        )}
        {step.explanation && step.state !== "retrying" && (
          <p class="explanation">
            {step.state === "undone" ? <Former text={step.explanation} /> : step.explanation}
          </p>
        )}
        {step.warnings.map((warning) => (
          <p key={warning} class="warning">
            <Icon name="warning" />
            <span>
              <span class="visually-hidden">{t("step.warnings")}: </span>
              {warning}
            </span>
          </p>
        ))}
        {step.state === "not_done" && step.choices.length > 0 && (
          <Choices choices={step.choices} onChoose={actions.choose} />
        )}
        <StepButtons step={step} actions={actions} />
        <StepDetails step={step} />
      </div>
    </li>
  );
}

/** What was so and is not any more. Few readers say that a text is struck out, so it is said in words too. */
function Former({ text }: { text: string }) {
  return (
    <>
      <span class="visually-hidden">{t("step.explanation.former")}: </span>
      <s>{text}</s>
    </>
  );
}

function Choices({
  choices,
  onChoose,
}: {
  choices: readonly string[];
  onChoose: (text: string) => void;
}) {
  return (
    <div class="choices">
      <p class="label">{t("step.choices")}</p>
      <ul>
        {choices.map((choice) => (
          <li key={choice}>
            <button
              type="button"
              class="suggestion"
              aria-label={t("step.choice", { text: choice })}
              onClick={() => onChoose(choice)}
            >
              {choice}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function StepButtons({ step, actions }: { step: StepView; actions: StepActions }) {
  const { state, title } = step;
  const inDocument = state === "review" || state === "kept";
  const canShow = inDocument && step.blocks.length > 0;
  if (!inDocument && state !== "undone") return null;
  return (
    <div class="step-buttons">
      {state === "review" && (
        <button
          type="button"
          class="button small"
          id={stepButtonId(step, "keep")}
          aria-label={t("step.keep.named", { title })}
          onClick={() => actions.keep(step)}
        >
          <Icon name="check" />
          {t("step.keep")}
        </button>
      )}
      {inDocument && (
        <button
          type="button"
          class="button small subtle"
          id={stepButtonId(step, "undo")}
          aria-label={t("step.undo.named", { title })}
          onClick={() => actions.undo(step)}
        >
          <Icon name="undo" />
          {t("step.undo")}
        </button>
      )}
      {state === "undone" && (
        <button
          type="button"
          class="button small subtle"
          id={stepButtonId(step, "redo")}
          aria-label={t("step.redo.named", { title })}
          onClick={() => actions.redo(step)}
        >
          <Icon name="redo" />
          {t("step.redo")}
        </button>
      )}
      {canShow && (
        <button
          type="button"
          class="button small subtle"
          aria-label={t("step.show.named", { title })}
          onClick={() => actions.show(step)}
        >
          <Icon name="locate" />
          <span class="where-roomy">{t("step.show")}</span>
          <span class="where-narrow">{t("step.show.short")}</span>
        </button>
      )}
    </div>
  );
}
