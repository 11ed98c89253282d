import type { ConversationId, TurnEvent } from "@incipit/schema";
import { ApiClientError } from "@incipit/transport-contract";
import { isAway, type HostLink } from "../host/host-link.ts";

const firstWaitMs = 50;
const longestWaitMs = 5_000;
/** Failures before one is reported. */
const patientTries = 6;

export interface FollowOptions {
  readonly link: HostLink;
  readonly afterSeq: number;
  /** The next event waits for it. */
  readonly take: (event: TurnEvent) => Promise<void>;
  /** Attempts continue. */
  readonly onAway: (error: unknown) => void;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Each event exactly once, across restarts of the host. Resolves once `signal` aborts. @throws {ApiClientError}
 * `CONVERSATION_UNKNOWN` for a deleted conversation.
 */
export async function followConversation(id: ConversationId, options: FollowOptions): Promise<void> {
  const { link, take, onAway, log, signal } = options;
  let { afterSeq } = options;
  for (let tries = 0; !signal.aborted; tries += 1) {
    if (tries > 0) await pause(Math.min(firstWaitMs * 2 ** (tries - 1), longestWaitMs), signal);
    const used = link.client();
    try {
      const client = await used;
      for await (const event of client.followEvents(id, { afterSeq, signal })) {
        tries = 0;
        afterSeq = event.seq;
        await take(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiClientError && error.code === "CONVERSATION_UNKNOWN") throw error;
      link.leave(used);
      if (!isAway(error)) log(`Following conversation ${id} failed, and is tried again: ${String(error)}`);
      if (tries === patientTries) onAway(error);
    }
  }
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}
