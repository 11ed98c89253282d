import type { Conversation, ConversationId, Message, TurnId } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";

/** Between stored messages and later events. */
export interface Place {
  readonly conversation: Conversation;
  readonly afterSeq: number;
  readonly newest: Message["id"] | null;
  /** Reported by its events from the start instead of its messages. */
  readonly openTurn: TurnId | undefined;
}

const pageSize = 100;
/** Maximum number of reads until no event arrives in between; then an inconsistent result is accepted. */
const maxReads = 10;
/** Events first searched for the start of a running turn. */
const eventsLookedBack = 5_000;
const lookedBackFurther = 8;

/** Messages before and events after it cover everything once. */
export async function placeOf(client: Client, id: ConversationId): Promise<Place> {
  for (let reads = 1; ; reads += 1) {
    const { conversation } = await client.call(routes.getConversation, { params: { id } });
    const open = conversation.status === "running" ? await beginningOfTurn(client, conversation) : undefined;
    if (open !== undefined) return { conversation, afterSeq: open.seq - 1, newest: null, openTurn: open.turnId };
    const query = { limit: 1, order: "newest" } as const;
    const { messages } = await client.call(routes.listMessages, { params: { id }, query });
    const { conversation: later } = await client.call(routes.getConversation, { params: { id } });
    if (later.lastSeq === conversation.lastSeq || reads === maxReads)
      return { conversation: later, afterSeq: later.lastSeq, newest: messages[0]?.id ?? null, openTurn: undefined };
  }
}

/** Oldest first. */
export async function* messagesBefore(
  client: Client,
  { conversation: { id }, newest, openTurn }: Place,
): AsyncGenerator<Message> {
  if (newest === null && openTurn === undefined) return;
  let cursor: string | undefined;
  do {
    const query = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.call(routes.listMessages, { params: { id }, query });
    for (const message of page.messages) {
      if (message.turnId === openTurn) return;
      yield message;
      if (message.id === newest) return;
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

async function beginningOfTurn(
  client: Client,
  { id, lastSeq }: Conversation,
): Promise<{ readonly turnId: TurnId; readonly seq: number } | undefined> {
  for (let back = eventsLookedBack; ; back *= lookedBackFurther) {
    const afterSeq = Math.max(0, lastSeq - back);
    let open: { readonly turnId: TurnId; readonly seq: number } | undefined;
    for await (const event of client.followEvents(id, { afterSeq })) {
      if (event.type === "turn-start") open = { turnId: event.turnId, seq: event.seq };
      if (event.type === "turn-end" && event.turnId === open?.turnId) open = undefined;
      if (event.seq >= lastSeq) break;
    }
    if (open !== undefined || afterSeq === 0) return open;
  }
}
