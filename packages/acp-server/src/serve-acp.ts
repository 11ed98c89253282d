import type { Client } from "@incipit/transport-contract";
import { hostAgent } from "./agent.ts";
import { HostLink } from "./host/host-link.ts";
import { ConnectedSessions } from "./session/connected-sessions.ts";
import { lineStream } from "./wire/line-stream.ts";

export interface AcpOptions {
  /** Called on first use, and again when that host is gone. */
  readonly connect: () => Promise<Client>;
  /** Whether the host ends with this agent; running turns are then awaited. */
  readonly endsWithAgent: () => boolean;
  readonly version: string;
  /** For new sessions: PROVIDER/MODEL, and the name of an agent in `profile`. */
  readonly model?: string | undefined;
  readonly profile?: string | undefined;
  readonly input: ReadableStream<Uint8Array>;
  /** Rejects when the editor has disconnected. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** For problems that no response reports. */
  readonly log: (line: string) => void;
  /** Ends like `input`, without waiting for running turns. */
  readonly signal: AbortSignal;
}

/**
 * https://agentclientprotocol.com. Resolves when the editor has disconnected, and, if the host ends with this agent,
 * when the editor's turns have ended.
 */
export async function serveAcp(options: AcpOptions): Promise<void> {
  const { connect, endsWithAgent, version, model, profile, input, write, log, signal } = options;
  const link = new HostLink(connect);
  const sessions = new ConnectedSessions({ link, defaults: { model, profile }, log });
  const agent = hostAgent({ sessions, version });
  await agent.connect(lineStream({ input, write, signal, log })).closed;
  if (endsWithAgent() && !signal.aborted) await sessions.finish();
  link.close();
  sessions.close();
}
