/** The pane's two questions: what to do about steps that build on the one to undo, and whether to undo everything. */

import { t } from "../i18n/t";
import type { ConflictView } from "../session/messages";
import type { SessionState } from "../session/state";
import { stepById } from "../session/state";
import { Dialog } from "./dialog";

interface ConflictDialogProps {
  conflict: ConflictView;
  state: SessionState;
  onSettle: (undoThemToo: boolean) => void;
}

export function ConflictDialog({ conflict, state, onSettle }: ConflictDialogProps) {
  const title = stepById(state, conflict.step)?.title ?? "";
  const count = conflict.dependents.length;
  return (
    <Dialog
      title={t("conflict.title")}
      safe={t("conflict.keep")}
      onSafe={() => onSettle(false)}
      act={count > 0 ? t("conflict.undo", { count }) : t("conflict.undo.edits")}
      onAct={() => onSettle(true)}
    >
      <p>
        {count > 0 ? t("conflict.text", { title, count }) : t("conflict.only.edits", { title })}
      </p>
      {count > 0 && (
        <ul class="reasons">
          {conflict.dependents.map((id, index) => (
            <li key={id}>
              <strong>{stepById(state, id)?.title}</strong>
              <span>{conflict.reasons[index]}</span>
            </li>
          ))}
        </ul>
      )}
      {conflict.lost_edits.length > 0 && (
        <>
          <p>{t("conflict.edits")}</p>
          <ul class="reasons">
            {conflict.lost_edits.map((edit) => (
              <li key={edit}>{edit}</li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

interface UndoAllDialogProps {
  count: number;
  onAnswer: (undo: boolean) => void;
}

export function UndoAllDialog({ count, onAnswer }: UndoAllDialogProps) {
  return (
    <Dialog
      title={t("all.undo.confirm.title")}
      safe={t("dialog.cancel")}
      onSafe={() => onAnswer(false)}
      act={t("all.undo.confirm.yes")}
      onAct={() => onAnswer(true)}
    >
      <p>{t("all.undo.confirm.text", { count })}</p>
    </Dialog>
  );
}
