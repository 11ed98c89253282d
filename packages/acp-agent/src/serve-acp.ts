import type { Client } from "@incipit/transport-contract";
import { hostAgent } from "./agent.ts";
import { HostLink } from "./host/host-link.ts";
import { ConnectedSessions } from "./session/connected-sessions.ts";
import { lineStream } from "./wire/line-stream.ts";

export interface AcpOptions {
  /** Finds the host that runs, or starts one; asked when one is first needed, and again when that is gone. */
  readonly connect: () => Promise<Client>;
  /** Whether the host ends with this agent: what was asked for then has to be over first. */
  readonly endsWithAgent: () => boolean;
  /** The host's. */
  readonly version: string;
  /** What new sessions have that say nothing of it themselves: PROVIDER/MODEL, and the name of a profile. */
  readonly model?: string | undefined;
  readonly profile?: string | undefined;
  /** Version 2 of the protocol is spoken with an editor that asks for it; without this, version 1 with each. */
  readonly isV2Offered: boolean;
  /** What the editor sends. */
  readonly input: ReadableStream<Uint8Array>;
  /** Takes what the editor is to read; rejects when it is gone. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** For people: what went wrong beside an answer. */
  readonly log: (line: string) => void;
  /** Ends it, as the end of `input` does, but without waiting for what runs. */
  readonly signal: AbortSignal;
}

/**
 * Speaks the Agent Client Protocol with one editor: https://agentclientprotocol.com. Resolves when the editor is gone, and,
 * where the host ends with it, when what it had asked for is over.
 */
export async function serveAcp(options: AcpOptions): Promise<void> {
  const { connect, endsWithAgent, version, model, profile, isV2Offered, input, write, log, signal } = options;
  const link = new HostLink(connect);
  const sessions = new ConnectedSessions({ link, defaults: { model, profile }, log });
  const one = hostAgent({ sessions, version });
  // The schemas of version 2 cost time at the start, which is for those alone that offer it.
  const agent = isV2Offered ? (await import("./v2/by-version.ts")).byVersion(one, { sessions, version }) : one;
  await agent.connect(lineStream({ input, write, signal, log })).closed;
  if (endsWithAgent() && !signal.aborted) await sessions.finish();
  link.close();
  sessions.close();
}
