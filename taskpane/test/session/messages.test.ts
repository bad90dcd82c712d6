import { readFileSync } from "node:fs";

import { expect, it } from "vitest";

import { PROTOCOL_VERSION } from "../../src/session/messages";

it("speaks the server's version of the protocol", () => {
  const source = readFileSync("../server/protocol.py", "utf8");
  expect(source).toContain(`\nPROTOCOL_VERSION = ${PROTOCOL_VERSION}\n`);
});
