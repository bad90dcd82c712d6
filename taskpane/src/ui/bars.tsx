/** Bars above the list: the state of the connection, and problems. */

import { t } from "../i18n/t";
import type { Connection, ProblemView } from "../session/state";
import { usePatience } from "./hooks";
import { Icon } from "./icons";

interface ConnectionBarProps {
  connection: Connection;
  /** It has been there before. */
  wasThere: boolean;
  onRetry: () => void;
  /** What to do when the connection is over for good; the page is loaded again unless there is something better. */
  onEnded: { text: string; act: () => void };
}

/** Nothing for two seconds, a quiet note until ten, then a bar with a button. */
export function ConnectionBar({ connection, wasThere, onRetry, onEnded }: ConnectionBarProps) {
  const down = connection.phase === "offline" || connection.phase === "connecting";
  const patience = usePatience(down, [2_000, 10_000]);
  if (connection.phase === "ended") {
    return (
      <div class="bar danger" role="alert">
        <Icon name="plug" />
        <p>{t(`connection.ended.${connection.reason}`)}</p>
        <button type="button" class="button small" onClick={onEnded.act}>
          {onEnded.text}
        </button>
      </div>
    );
  }
  if (!down || patience === 0) return null;
  return (
    <div class={patience > 1 ? "bar warning" : "bar"}>
      <Icon name="plug" />
      <p>
        {t(wasThere ? "connection.lost" : "connection.slow")}
        {patience > 1 && wasThere && <> {t("connection.lost.detail")}</>}
      </p>
      {patience > 1 && (
        <button type="button" class="button small" onClick={onRetry}>
          {t("connection.retry")}
        </button>
      )}
    </div>
  );
}

interface ProblemsProps {
  problems: readonly ProblemView[];
  onDismiss: (id: number) => void;
}

export function Problems({ problems, onDismiss }: ProblemsProps) {
  return (
    <>
      {problems.map((problem) => (
        <div key={problem.id} class="bar danger" role="alert" data-code={problem.code}>
          <Icon name="warning" />
          <p>{problem.message}</p>
          <button
            type="button"
            class="button small subtle icon-only"
            aria-label={t("problem.dismiss")}
            onClick={() => onDismiss(problem.id)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </>
  );
}
