import type { Conversation, ConversationId, Message, TurnId } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";

/** Where a conversation is at a moment: what stands in its messages, and where its events go on behind them. */
export interface Place {
  readonly conversation: Conversation;
  /** The number of the newest event that its messages tell. */
  readonly afterSeq: number;
  /** The newest message then; `null`: there was none. */
  readonly newest: Message["id"] | null;
  /** The turn that runs: its events tell it from its beginning, its messages are left out. */
  readonly openTurn: TurnId | undefined;
}

const pageSize = 100;
/** Reads of a conversation in which somebody else is busy, before it is taken as it is. */
const maxReads = 10;
/** Events before the newest in which the beginning of a turn that runs is looked for at first. */
const eventsLookedBack = 5_000;
const lookedBackFurther = 8;

/** Where a conversation is, so that messages up to there and events from there on tell each thing once. */
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

/** The messages up to a place, oldest first; they are read as they are needed. */
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

/** The event with which the turn began that runs; `undefined`: none runs. */
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
