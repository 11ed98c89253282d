import { redoWords } from "@incipit/cli-text";
import { fileChanges } from "@incipit/transport-contract";
import type { TerminalCommand } from "./command.ts";
import { offerFiles, tellOutcome } from "./offer-files.ts";

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
    const changes = await fileChanges(session.client, id, range);
    const question = "Go back, and change the files again?";
    const outcome = await offerFiles(context, { id, range, changes, question, words: redoWords });
    if (outcome === undefined) return;
    await tellOutcome(context, outcome, async () => {
      await session.open(id);
      tell(`The conversation is as it was before. The copy is kept: /resume ${conversation.id}`, "good");
    });
  },
};
