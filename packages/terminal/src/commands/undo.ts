import { undoWords } from "@incipit/cli-text";
import { sentText } from "@incipit/schema";
import { fileChanges, lastUserMessage } from "@incipit/transport-contract";
import type { TerminalCommand } from "./command.ts";
import { openFork } from "./fork.ts";
import { offerFiles, tellOutcome, type OfferWords } from "./offer-files.ts";

const words: OfferWords = {
  ...undoWords,
  later: (them) => `To put ${them} back later: /redo, then /undo`,
};

export const undo: TerminalCommand = {
  name: "undo",
  summary: "takes the last message back into the editor, goes on in a copy without it, and puts its files back",
  async run(context) {
    const { session, tell, write } = context;
    if (session.running !== undefined)
      return tell("Something runs: Esc stops it, and /undo takes it back then", "warning");
    const id = session.conversation?.id;
    const last = id === undefined ? undefined : await lastUserMessage(session.client, id);
    if (last === undefined || id === undefined) return tell("There is no message to take back");
    const range = { from: last.id };
    const changes = await fileChanges(session.client, id, range);
    const question = "Take the message back, and put back what it changed?";
    const outcome = await offerFiles(context, { id, range, changes, question, words });
    if (outcome === undefined) return;
    await tellOutcome(context, outcome, () => openFork(context, { before: last.id }));
    write(sentText(last));
  },
};
