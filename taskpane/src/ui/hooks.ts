/** Preact hooks that several parts of the pane share. */

import { useEffect, useState } from "preact/hooks";

import type { Session } from "../session/session";
import type { SessionState } from "../session/state";

/** The session's state; renders again after each change. */
export function useSessionState(session: Session): SessionState {
  const [state, setState] = useState(session.state);
  useEffect(() => {
    setState(session.state);
    return session.subscribe(() => setState(session.state));
  }, [session]);
  return state;
}

/** How many of the waits (milliseconds, rising) have passed since `active` became true; 0 while it is false. */
export function usePatience(active: boolean, waits: readonly number[]): number {
  const [passed, setPassed] = useState(0);
  const key = waits.join();
  useEffect(() => {
    setPassed(0);
    if (!active) return;
    const timers = key
      .split(",")
      .map((wait, index) => setTimeout(() => setPassed(index + 1), Number(wait)));
    return () => timers.forEach(clearTimeout);
  }, [active, key]);
  return passed;
}
