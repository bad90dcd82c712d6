import { h, render } from "preact";
import { expect, it } from "vitest";

import { StepCard } from "../../src/ui/step-card";
import { step } from "../session/examples";

const NOTHING = () => undefined;
const ACTIONS = { keep: NOTHING, undo: NOTHING, redo: NOTHING, show: NOTHING, choose: NOTHING };

it.each([
  ["review", "Table 2 was removed."],
  ["kept", "Table 2 was removed."],
  ["undoing", "Table 2 was removed."],
  ["undone", "No longer in the document: Table 2 was removed."],
] as const)("a step in the state %s explains itself by %j", (state, expected) => {
  const root = document.createElement("div");
  const shown = step(1, { state, explanation: "Table 2 was removed." });
  render(h(StepCard, { step: shown, actions: ACTIONS }), root);
  expect(root.querySelector(".explanation")?.textContent).toBe(expected);
  expect(root.querySelector("s")?.textContent).toBe(
    state === "undone" ? "Table 2 was removed." : undefined,
  );
});
