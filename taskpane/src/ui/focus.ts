/** Where the focus goes when what had it goes away. It never moves without the user having pressed something. */

import type { StepView } from "../session/messages";
import type { SessionState } from "../session/state";
import { stepButtonId, stepTitleId } from "./step-card";

/** The button that was pressed goes away: on to the same button of the next step, else to this step's title. */
export function focusAfter(state: SessionState, step: StepView, action: "keep" | "undo"): void {
  const later = state.steps.slice(state.steps.indexOf(step) + 1);
  const next = later.find((one) => document.getElementById(stepButtonId(one, action)));
  const id = next ? stepButtonId(next, action) : stepTitleId(step.id);
  document.getElementById(id)?.focus();
}

/** Focus an element once what has just been asked for is on the page. */
export function focusSoon(id: string): void {
  setTimeout(() => document.getElementById(id)?.focus());
}
