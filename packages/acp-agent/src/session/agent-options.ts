import type { ConnectedSessions } from "./connected-sessions.ts";

/** Options of the agent, for all protocol versions. */
export interface AgentOptions {
  /** Sessions of the connected editor. */
  readonly sessions: ConnectedSessions;
  /** Version of the host. */
  readonly version: string;
}
