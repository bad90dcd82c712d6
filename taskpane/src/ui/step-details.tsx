/** What stands behind a step, folded away: changes by dimension, the call, attempts that were rolled back. */

import { t } from "../i18n/t";
import type { ChangeView, StepView } from "../session/messages";
import { Icon } from "./icons";

const DIMENSIONS: readonly ChangeView["dimension"][] = [
  "content",
  "formatting",
  "style",
  "structure",
  "tables",
  "hyperlinks",
  "other",
];

export function StepDetails({ step }: { step: StepView }) {
  const { changes, call, intents } = step;
  const retries = eachReasonOnce(step.retries);
  if (changes.length === 0 && !call && retries.length === 0) return null;
  return (
    <details class="details">
      <summary aria-label={t("step.details.named", { title: step.title })}>
        <Icon name="chevron" />
        {t("step.details")}
      </summary>
      <div class="details-body">
        <h4>{t("details.changes")}</h4>
        {changes.length === 0 ? <p>{t("details.nothing")}</p> : <Changes changes={changes} />}
        {call && (
          <>
            <h4>{t("details.call")}</h4>
            <Call operation={call.operation} params={call.params} />
          </>
        )}
        {intents.length > 0 && (
          <>
            <h4>{t("details.intents")}</h4>
            <p>{intents.map((intent) => intent.replaceAll("_", " ")).join(", ")}</p>
          </>
        )}
        {retries.length > 0 && (
          <>
            <h4>{t("details.attempts")}</h4>
            <ul>
              {retries.map((retry) => (
                <li key={retry.reason}>
                  {t(`details.attempt.${retry.level}`)}: {retry.reason}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </details>
  );
}

/** The first attempt of those that were taken back for the same reason: the others say nothing new. */
function eachReasonOnce(retries: StepView["retries"]): StepView["retries"] {
  const reasons = retries.map((retry) => retry.reason);
  return retries.filter((retry, index) => reasons.indexOf(retry.reason) === index);
}

function Changes({ changes }: { changes: readonly ChangeView[] }) {
  const groups = DIMENSIONS.map(
    (dimension) => [dimension, changes.filter((one) => one.dimension === dimension)] as const,
  ).filter(([, group]) => group.length > 0);
  return (
    <dl class="changes">
      {groups.map(([dimension, group]) => (
        <div key={dimension}>
          <dt>{t(`dimension.${dimension}`)}</dt>
          {group.map((change, index) => (
            <dd key={index}>
              {change.text}
              {(change.before || change.after) && (
                <span class="before-after">
                  {change.before && (
                    <span>
                      <span class="label">{t("details.before")}</span> <del>{change.before}</del>
                    </span>
                  )}
                  {change.after && (
                    <span>
                      <span class="label">{t("details.after")}</span> <ins>{change.after}</ins>
                    </span>
                  )}
                </span>
              )}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

function Call({ operation, params }: { operation: string; params: Record<string, unknown> }) {
  const rows = Object.entries(params);
  return (
    <>
      <p>
        <code>{operation}</code>
      </p>
      {rows.length > 0 && (
        <table class="params">
          <caption class="visually-hidden">{t("details.call.parameters", { operation })}</caption>
          <tbody>
            {rows.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name.replaceAll("_", " ")}</th>
                <td>{inWords(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** A parameter's value as people write it: `{ paragraph: 3 }` is "paragraph 3". */
export function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(", ");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([name, part]) => `${name.replaceAll("_", " ")} ${inWords(part)}`)
      .join(", ");
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
