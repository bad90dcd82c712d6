import { h, render } from "preact";
import { expect, it } from "vitest";

import { StepDetails, inWords } from "../../src/ui/step-details";
import { step } from "../session/examples";

it("says each reason for which attempts were taken back once", () => {
  const root = document.createElement("div");
  const retries = [
    { level: "parameter", reason: "There is no table 4." },
    { level: "parameter", reason: "There is no table 4." },
    { level: "api", reason: "The document is like that already." },
    { level: "api", reason: "There is no table 4." },
  ] as const;
  render(h(StepDetails, { step: step(1, { retries: [...retries] }) }), root);
  expect([...root.querySelectorAll("li")].map((item) => item.textContent)).toEqual([
    "Other values were tried: There is no table 4.",
    "Another operation was tried: The document is like that already.",
  ]);
});

it.each([
  ["centred", "centred"],
  [3, "3"],
  [true, "true"],
  [{ paragraph: 3 }, "paragraph 3"],
  [{ text: "nine per cent", nth: null, in_table: 2 }, "text nine per cent, in table 2"],
  [["Name", "Amount"], "Name, Amount"],
  [{ rows: [[1, 2], [3]] }, "rows 1, 2, 3"],
  [null, "null"],
])("a parameter of %j reads %j", (value, expected) => {
  expect(inWords(value)).toBe(expected);
});
