import type { Conversation, Message } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";

const shownMessages = 30;
/** After these, messages may be shown twice rather than never. */
const tries = 5;

export interface OpenedConversation {
  readonly conversation: Conversation;
  /** Newest first. */
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly isRunning: boolean;
}

/** A snapshot: its messages include no event after `lastSeq`. @throws {ApiClientError} if the id is unknown. */
export async function openedConversation(client: Client, id: string): Promise<OpenedConversation> {
  const read = async (): Promise<Conversation> =>
    (await client.call(routes.getConversation, { params: { id } })).conversation;
  let conversation = await read();
  for (let count = 1; ; count += 1) {
    const query = { limit: shownMessages, order: "newest" } as const;
    const { messages, nextCursor } = await client.call(routes.listMessages, { params: { id }, query });
    const isRunning = conversation.status !== "idle" && conversation.status !== "waiting";
    const opened = { conversation, messages, hasOlder: nextCursor !== undefined, isRunning };
    if (isRunning) return opened;
    const after = await read();
    if (after.lastSeq === conversation.lastSeq || count >= tries) return opened;
    conversation = after;
  }
}
