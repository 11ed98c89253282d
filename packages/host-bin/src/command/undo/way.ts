import { quoted, redoWords, undoWords, type FileChangeWords } from "@incipit/host/text";
import { sentText, type Conversation, type FileChangesQuery, type Message } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";

/** What one of the two commands is about to do. */
export interface Way {
  /** Whose tools have changed the files. */
  readonly id: Conversation["id"];
  readonly range: FileChangesQuery;
  readonly words: FileChangeWords;
  /** What it does beside the files, such as "Take the message back"; a question goes on behind it. */
  readonly step: string;
  /** What is said before anything is asked. */
  readonly told: readonly string[];
  /** What JSON says of it, beside the files. */
  readonly facts: { readonly message?: { readonly id: string; readonly text: string } };
  /** Goes there once the files are done; gives the conversation to go on with, and how to come back. */
  readonly go: () => Promise<{ readonly conversation: Conversation; readonly back: string }>;
}

/** Messages that are looked through for the last one of a person: a turn may have many. */
const maxLookedThrough = 2_000;
const pageSize = 200;
const maxShownCharacters = 300;

/** @throws {Error} when there is no message to take back. */
export async function wayBack(client: Client, { id }: Conversation): Promise<Way> {
  const last = await lastMessage(client, id);
  if (last === undefined) throw new Error(`There is no message to take back in ${id}`);
  const text = sentText(last);
  return {
    id,
    range: { from: last.id },
    words: undoWords,
    step: "Take the message back",
    told: [`The last message: ${quoted(text, { maxCharacters: maxShownCharacters })}`],
    facts: { message: { id: last.id, text } },
    async go() {
      const body = { before: last.id };
      const { conversation } = await client.call(routes.forkConversation, { params: { id }, body });
      return { conversation, back: `${id} is kept as it was; to go back there: incipit redo ${conversation.id}` };
    },
  };
}

/** @throws {Error} when the conversation is no copy of another one. */
export async function wayForth(client: Client, { id: copy, forkedFrom }: Conversation): Promise<Way> {
  const id = forkedFrom?.conversationId;
  if (id === undefined)
    throw new Error(`${copy} is no copy of another conversation: there is nothing to go back to`);
  return {
    id,
    range: { restoration: "newest", copy },
    words: redoWords,
    step: "Go back",
    told: [`${copy} is a copy of ${id}`],
    facts: {},
    async go() {
      const { conversation } = await client.call(routes.getConversation, { params: { id } });
      return { conversation, back: `The copy is kept: ${copy}` };
    },
  };
}

/** What a person has said last; what a compaction has carried on is the same once more. */
async function lastMessage(client: Client, id: Conversation["id"]): Promise<Message | undefined> {
  let count = 0;
  for (let cursor: string | undefined; count < maxLookedThrough;) {
    const query = { limit: pageSize, order: "newest" as const, ...(cursor === undefined ? {} : { cursor }) };
    const { messages, nextCursor } = await client.call(routes.listMessages, { params: { id }, query });
    const last = messages.find(({ role, carriedFrom }) => role === "user" && carriedFrom === undefined);
    if (last !== undefined || nextCursor === undefined) return last;
    count += messages.length;
    cursor = nextCursor;
  }
  return undefined;
}
