/** The row above the list: how many steps wait for the user, and what can be done with all of them. */

import { t } from "../i18n/t";
import { stepsInDocument, stepsInReview } from "../session/state";
import type { SessionState } from "../session/state";

/** The element that takes the focus when "Keep all" or "Undo all" has nothing more to do. */
export const COMMANDS_HEADING = "steps-to-review";

interface CommandsProps {
  state: SessionState;
  onKeepAll: () => void;
  onUndoAll: () => void;
}

export function Commands({ state, onKeepAll, onUndoAll }: CommandsProps) {
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
