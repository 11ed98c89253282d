import { errorMessage, waitUnlessAborted, type Clock, type Log } from "@incipit/kernel";
import type { DiscordInteraction } from "./events.ts";
import type { RestClient } from "./rest-client.ts";

/** Discord's deadline: https://docs.discord.com/developers/interactions/receiving-and-responding */
const acknowledgeTimeoutMs = 3_000;
const answerTimeoutMs = 30_000;
const retryMs = 1_000;
const maxAnswerLength = 2_000;
/** Deferred reply that only the user sees (ephemeral). */
const laterToThem = { type: 5, data: { flags: 64 } } as const;

interface InteractionOptions {
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Never rejects: the action happens either way. */
export async function acknowledge(
  rest: RestClient,
  { id, token }: DiscordInteraction,
  { log, signal }: InteractionOptions,
): Promise<void> {
  const path = `/interactions/${id}/${token}/callback`;
  await quietly("Failed to acknowledge an interaction", { log, signal }, () =>
    rest.call(
      { method: "POST", path, body: laterToThem, isOpen: true },
      { timeoutMs: acknowledgeTimeoutMs, signal },
    ),
  );
}

/** Never rejects. */
export async function answerInteraction(
  rest: RestClient,
  { application_id: applicationId, token }: DiscordInteraction,
  { text, clock, log, signal }: InteractionOptions & { readonly text: string; readonly clock: Clock },
): Promise<void> {
  const path = `/webhooks/${applicationId}/${token}/messages/@original`;
  const body = { content: text.slice(0, maxAnswerLength).toWellFormed(), allowed_mentions: { parse: [] } };
  const edit = (): Promise<unknown> =>
    rest.call({ method: "PATCH", path, body, isOpen: true }, { timeoutMs: answerTimeoutMs, signal });
  await quietly("Failed to answer an interaction", { log, signal }, async () => {
    try {
      return await edit();
    } catch {
      await waitUnlessAborted(retryMs, clock, signal);
      return edit(); // Editing is idempotent.
    }
  });
}

async function quietly(
  failed: string,
  { log, signal }: InteractionOptions,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) log.debug(failed, { reason: errorMessage(error) });
  }
}
