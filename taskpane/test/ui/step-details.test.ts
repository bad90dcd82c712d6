import { expect, it } from "vitest";

import { inWords } from "../../src/ui/step-details";

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
