import { ApiClientError, routes } from "@incipit/transport-contract";
import type { Conversation, FileChanges, FileChangesQuery } from "@incipit/schema";
import type { CommandContext, TerminalCommand } from "./command.ts";
import { redoWords } from "@incipit/host/text";
import { offerFiles } from "./offer-files.ts";

export const redo: TerminalCommand = {
  name: "redo",
  summary: "undoes /undo: goes back to the conversation that it left, and offers to change its files again",
  async run(context) {
    const { session, tell } = context;
    if (session.running !== undefined)
      return tell("Something runs: Esc stops it, and /redo goes back then", "warning");
    const { conversation } = session;
    const id = conversation?.forkedFrom?.conversationId;
    if (conversation === undefined || id === undefined)
      return tell("This conversation is no copy of another one: there is nothing to go back to");
    const range = { restoration: "newest", copy: conversation.id } as const;
    const changes = await restoredFiles(context, id, range);
    const question = "Go back, and change the files again?";
    if (!(await offerFiles(context, { id, range, changes, question, words: redoWords }))) return;
    await session.open(id);
    tell(`The conversation is as it was before. The copy is kept: /resume ${conversation.id}`, "good");
  },
};

async function restoredFiles(
  { session }: CommandContext,
  id: Conversation["id"],
  range: FileChangesQuery,
): Promise<FileChanges> {
  try {
    return await session.client.call(routes.listFileChanges, { params: { id }, query: range });
  } catch (error) {
    // No file was put back there.
    if (error instanceof ApiClientError && error.code === "RESTORATION_UNKNOWN")
      return { files: [], otherTools: [] };
    throw error;
  }
}
