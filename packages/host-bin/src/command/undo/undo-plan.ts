import { quoted, redoWords, undoWords, type FileChangeLabels } from "@incipit/cli-text";
import { sentText, type Conversation, type FileChangesQuery } from "@incipit/schema";
import { lastUserMessage, routes, type Client } from "@incipit/transport-contract";

export interface UndoPlan {
  readonly id: Conversation["id"];
  readonly range: FileChangesQuery;
  readonly words: FileChangeLabels;
  readonly step: string;
  readonly told: readonly string[];
  readonly facts: { readonly message?: { readonly id: string; readonly text: string } };
  /** Runs after the files are restored; returns the conversation to continue and how to return. */
  readonly go: () => Promise<{ readonly conversation: Conversation; readonly back: string }>;
}

const maxShownCharacters = 300;

/** @throws {Error} when the conversation has no message to undo. */
export async function planUndo(client: Client, { id }: Conversation): Promise<UndoPlan> {
  const last = await lastUserMessage(client, id);
  if (last === undefined) throw new Error(`No message to undo in ${id}`);
  const text = sentText(last);
  return {
    id,
    range: { from: last.id },
    words: undoWords,
    step: "Undo the message",
    told: [`The last message: ${quoted(text, { maxCharacters: maxShownCharacters })}`],
    facts: { message: { id: last.id, text } },
    async go() {
      const body = { before: last.id };
      const { conversation } = await client.call(routes.forkConversation, { params: { id }, body });
      return { conversation, back: `${id} is kept as it was; to go back there: incipit redo ${conversation.id}` };
    },
  };
}

export async function planRedo(client: Client, { id: copy, forkedFrom }: Conversation): Promise<UndoPlan> {
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
