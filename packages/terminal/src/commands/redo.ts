import { redoWords } from "@incipit/cli-text";
import { fileChanges } from "@incipit/transport-contract";
import type { TerminalCommand } from "./command.ts";
import { offerFiles, tellOutcome } from "./offer-files.ts";

export const redo: TerminalCommand = {
  name: "redo",
  summary: "reverts /undo: returns to the original conversation, and offers to reapply its file changes",
  async run(context) {
    const { session, tell } = context;
    if (session.running !== undefined)
      return tell("A turn is running: stop it with Esc, then use /redo", "warning");
    const { conversation } = session;
    const id = conversation?.forkedFrom?.conversationId;
    if (conversation === undefined || id === undefined)
      return tell("This conversation is not a copy: nothing to redo");
    const range = { restoration: "newest", copy: conversation.id } as const;
    const changes = await fileChanges(session.client, id, range);
    const question = "Return to the original, and reapply the file changes?";
    const outcome = await offerFiles(context, { id, range, changes, question, words: redoWords });
    if (outcome === undefined) return;
    await tellOutcome(context, outcome, async () => {
      await session.open(id);
      tell(`You are back in the original conversation. The copy is kept: /resume ${conversation.id}`, "good");
    });
  },
};
