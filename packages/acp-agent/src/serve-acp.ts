import type { Client } from "@incipit/transport-contract";
import { HostAgent } from "./agent.ts";
import { HostLink } from "./host/host-link.ts";
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
 * Speaks version 1 of the Agent Client Protocol with one editor: https://agentclientprotocol.com. Resolves when the editor is
 * gone, and, where the host ends with it, when what it had asked for is over.
 */
export async function serveAcp(options: AcpOptions): Promise<void> {
  const { connect, endsWithAgent, version, model, profile, input, write, log, signal } = options;
  const link = new HostLink(connect);
  const hostAgent = new HostAgent({ link, version, defaults: { model, profile }, log });
  const connection = hostAgent.app().connect(lineStream({ input, write }));
  const end = (): void => connection.close();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  await connection.closed;
  signal.removeEventListener("abort", end);
  if (endsWithAgent() && !signal.aborted) await hostAgent.finish();
  hostAgent.close();
}
