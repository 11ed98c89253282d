import { KernelError } from "@incipit/kernel";
import type { ConversationId, TurnEvent } from "@incipit/schema";
import { ServiceError, type ConversationsService, type FollowOptions } from "@incipit/service-contract";

type Source = Pick<ConversationsService, "follow" | "get">;

export interface HandedOver {
  readonly own: Source;
  readonly at: (id: ConversationId) => Promise<Source>;
  readonly before: { readonly current: (Source & { holds(id: string): boolean }) | undefined };
  /** Resolves when the predecessor has ended and its state is recovered. */
  readonly alone: Promise<void>;
}

/** Yields each event once. */
export async function* followAcrossGenerations(
  id: ConversationId,
  options: FollowOptions,
  { own, at, before, alone }: HandedOver,
): AsyncGenerator<TurnEvent> {
  let afterSeq = options.afterSeq ?? (await (await at(id)).get(id)).lastSeq;
  for (let hasFollowed = false; ; hasFollowed = true) {
    const source = await at(id);
    try {
      for await (const event of source.follow(id, { ...options, afterSeq })) {
        afterSeq = event.seq;
        yield event;
        if (event.turnId === options.turnId && event.type === "turn-end") return;
      }
      // The predecessor is still working but sends no more events; retrying in a loop would starve it.
      if (source === before.current && before.current.holds(id)) await alone;
    } catch (error) {
      if (hasFollowed && isUnknown(error)) return;
      if (!isGone(error)) throw error;
    }
    if (source === own || options.signal?.aborted === true) return;
  }
}

function isUnknown(error: unknown): boolean {
  return ServiceError.is(error) && error.code === "CONVERSATION_UNKNOWN";
}

export function isGone(error: unknown): boolean {
  return KernelError.is(error) && error.code === "GENERATION_GONE";
}
