/** The generated types under shorter names, and the unions of each direction. */

import type { Wire } from "../protocol";

export type * from "../protocol";
export type ClientMessage = Wire["client"];
export type ServerMessage = Wire["server"];

/** A server message that has a number in the session's log. */
export type NumberedMessage = Exclude<ServerMessage, { kind: "welcome" | "pong" }>;

/** `server.protocol.PROTOCOL_VERSION`: a server of another version closes with 4409. */
export const PROTOCOL_VERSION = 1;
