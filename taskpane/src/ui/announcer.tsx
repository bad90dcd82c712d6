/** What screen readers hear: one polite region, at most one announcement each two seconds. */

import { useEffect, useRef, useState } from "preact/hooks";

import { t } from "../i18n/t";
import type { StepView } from "../session/messages";
import type { SessionState } from "../session/state";

const SPACING_MS = 2_000;

/** States worth hearing; the ones in between pass too quickly to be of use. */
const SPOKEN: ReadonlySet<StepView["state"]> = new Set([
  "retrying",
  "review",
  "kept",
  "undone",
  "not_done",
]);

/** Sentences for what differs between two states. */
export function announcements(before: SessionState, after: SessionState): string[] {
  // The first view is read by the user, not announced.
  if (!before.ready) return [];
  const said: string[] = [];
  if (before.connection.phase === "offline" && after.connection.phase === "online") {
    said.push(t("announce.online"));
  }
  // The first try to come back is quick and mostly works.
  if (after.connection.phase === "offline" && after.connection.attempt === 2) {
    if (before.connection !== after.connection) said.push(t("connection.lost"));
  }
  const stepsBefore = new Map(before.steps.map((step) => [step.id, step.state]));
  for (const step of after.steps) {
    if (stepsBefore.get(step.id) !== step.state && SPOKEN.has(step.state)) {
      const state = t(`step.state.${step.state}`);
      said.push(t("announce.step", { title: step.title, state }));
    }
  }
  for (const { clientId, text } of after.pending) {
    if (!before.pending.some((one) => one.clientId === clientId)) {
      said.push(t("announce.sent", { text }));
    }
  }
  for (const { name } of added(before.attachments, after.attachments)) {
    said.push(t("announce.attached", { name }));
  }
  for (const { name } of added(after.attachments, before.attachments)) {
    said.push(t("announce.detached", { name }));
  }
  const requestsBefore = new Map(before.requests.map((request) => [request.id, request.state]));
  for (const { id, state, summary } of after.requests) {
    if (requestsBefore.get(id) === state) continue;
    if (state === "finished") said.push(t("announce.finished", { summary }));
    if (state === "stopped") said.push(t("announce.stopped", { summary }));
  }
  return said;
}

/** What `after` has and `before` has not, by name. */
function added<T extends { name: string }>(before: readonly T[], after: readonly T[]): T[] {
  return after.filter(({ name }) => !before.some((one) => one.name === name));
}

export function Announcer({ state }: { state: SessionState }) {
  const [text, setText] = useState("");
  const before = useRef(state);
  const waiting = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);

  useEffect(() => {
    waiting.current.push(...announcements(before.current, state));
    before.current = state;
    if (waiting.current.length === 0 || timer.current) return;
    const flush = () => {
      if (waiting.current.length === 0) {
        timer.current = null;
        return;
      }
      setText(waiting.current.join(" "));
      waiting.current = [];
      timer.current = setTimeout(flush, SPACING_MS);
    };
    flush();
  }, [state]);
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
    },
    [],
  );

  return (
    <p role="status" class="visually-hidden">
      {text}
    </p>
  );
}
