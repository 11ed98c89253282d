import { backOffMs } from "@incipit/common/channels";
import { waitUnlessAborted, type Clock, type Log } from "@incipit/kernel";
import { messageSchema, messagesSchema, type DiscordMessage } from "./events.ts";
import { CallError, type RestClient } from "./rest-client.ts";
import { isLater, snowflakeAt } from "./snowflake.ts";

/** Maximum age of messages that are fetched: the host remembers ids for two days, and late replies are useless. */
const maxAgeMs = 24 * 3_600_000;
const pageSize = 100;
const maxPages = 20;
const callTimeoutMs = 30_000;

export interface MissedOptions {
  readonly channelId: string;
  readonly after: string | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Oldest first, in at most 20 pages. Retries while Discord does not respond.
 * @throws {CallError} when the bot cannot access the channel.
 */
export async function* missedMessages(
  ask: RestClient["call"],
  options: MissedOptions,
): AsyncGenerator<DiscordMessage> {
  const { channelId, clock, log, signal } = options;
  const oldest = snowflakeAt(clock.now() - maxAgeMs);
  let after = options.after === null || isLater(oldest, options.after) ? oldest : options.after;
  for (let page = 0; page < maxPages; page += 1) {
    const given = await pageAfter(ask, after, options);
    const messages = given.flatMap((one) => messageSchema.safeParse(one).data ?? []);
    for (const message of messages.toSorted((a, b) => (isLater(a.id, b.id) ? 1 : -1))) {
      yield message;
      after = message.id;
    }
    if (given.length < pageSize || messages.length === 0 || signal.aborted) return;
  }
  log.warn("A Discord channel has more missed messages than are fetched at once; skipped the rest", { channelId });
}

async function pageAfter(
  ask: RestClient["call"],
  after: string,
  { channelId, clock, signal }: MissedOptions,
): Promise<readonly unknown[]> {
  const path = `/channels/${channelId}/messages?after=${after}&limit=${pageSize}`;
  for (let failures = 1; ; failures += 1) {
    try {
      return messagesSchema.parse(await ask({ method: "GET", path }, { timeoutMs: callTimeoutMs, signal }));
    } catch (error) {
      signal.throwIfAborted();
      const failure = error instanceof CallError ? error.failure : undefined;
      if (failure?.kind === "refused" && isFinal(failure.status)) throw error;
      const retryAfterMs = failure?.kind === "refused" ? failure.retryAfterMs : undefined;
      const waitMs = retryAfterMs ?? backOffMs(failures);
      await waitUnlessAborted(waitMs, clock, signal);
    }
  }
}

function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}
