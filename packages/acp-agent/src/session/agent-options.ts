import type { ConnectedSessions } from "./connected-sessions.ts";

/** What the host as an agent is made of, whichever version it speaks. */
export interface AgentOptions {
  /** Those of the one editor that it is connected with. */
  readonly sessions: ConnectedSessions;
  /** The host's. */
  readonly version: string;
}
