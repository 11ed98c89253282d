import { undoWords } from "@incipit/cli-text";
import { sentText } from "@incipit/schema";
import { fileChanges, lastUserMessage } from "@incipit/transport-contract";
import type { TerminalCommand } from "./command.ts";
import { openFork } from "./fork.ts";
import { offerFiles, tellOutcome, type OfferWords } from "./offer-files.ts";

const words: OfferWords = {
  ...undoWords,
  later: (them) => `To restore ${them} later: /redo, then /undo`,
};

export const undo: TerminalCommand = {
  name: "undo",
  summary: "removes the last message (in a copy), returns it to the editor, and restores its files",
  async run(context) {
    const { session, tell, write } = context;
    if (session.running !== undefined)
      return tell("A turn is running: stop it with Esc, then use /undo", "warning");
    const id = session.conversation?.id;
    const last = id === undefined ? undefined : await lastUserMessage(session.client, id);
    if (last === undefined || id === undefined) return tell("No message to undo");
    const range = { from: last.id };
    const changes = await fileChanges(session.client, id, range);
    const question = "Undo the message, and restore its file changes?";
    const outcome = await offerFiles(context, { id, range, changes, question, words });
    if (outcome === undefined) return;
    await tellOutcome(context, outcome, () => openFork(context, { before: last.id }));
    write(sentText(last));
  },
};
