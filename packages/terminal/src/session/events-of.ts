import type { TurnEvent } from "@incipit/schema";
import { ApiClientError, routes, type Client } from "@incipit/transport-contract";

const firstWaitMs = 250;
const longestWaitMs = 5_000;

export interface EventsOfOptions {
  readonly client: Client;
  readonly id: string;
  readonly afterSeq: number;
  readonly signal: AbortSignal;
  readonly onAway: (isAway: boolean) => void;
}

/** Every event once, across restarts of the host. @throws {ApiClientError} if the host refuses. */
export async function* eventsOf(options: EventsOfOptions): AsyncGenerator<TurnEvent> {
  const { client, id, signal, onAway } = options;
  let seq = options.afterSeq;
  let isAway = false;
  let waitMs = firstWaitMs;
  while (!signal.aborted) {
    try {
      for await (const event of client.followEvents(id, { afterSeq: seq, signal })) {
        waitMs = firstWaitMs;
        seq = event.seq;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isGone(error)) throw error;
      if (!isAway) onAway((isAway = true));
    }
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, longestWaitMs);
    // A stream is silent until its first event.
    if (isAway && (await answers(client, signal))) onAway((isAway = false));
  }
}

export function isGone(error: unknown): boolean {
  return error instanceof ApiClientError && error.code === "UNREACHABLE";
}

async function answers(client: Client, signal: AbortSignal): Promise<boolean> {
  try {
    await client.call(routes.getHealth, { signal });
    return true;
  } catch {
    return false;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const timer = setTimeout(end, ms);
  signal.addEventListener("abort", end);
  await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", end);
}
