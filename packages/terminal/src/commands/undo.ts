import { undoWords } from "@incipit/host/text";
import { sentText } from "@incipit/schema";
import { fileChanges } from "@incipit/transport-contract";
import type { TerminalCommand } from "./command.ts";
import { goOnInFork } from "./fork.ts";
import { newestMessages } from "./history.ts";
import { offerFiles, type OfferWords } from "./offer-files.ts";

/** Messages among which the last one of a person is looked for: a turn may have many. */
const lookedThrough = 2_000;

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
    const messages = await newestMessages(context, lookedThrough);
    const last = messages.find(({ role, carriedFrom }) => role === "user" && carriedFrom === undefined);
    const id = session.conversation?.id;
    if (last === undefined || id === undefined) return tell("There is no message to take back");
    const range = { from: last.id };
    const changes = await fileChanges(session.client, id, range);
    const question = "Take the message back, and put back what it changed?";
    if (!(await offerFiles(context, { id, range, changes, question, words }))) return;
    await goOnInFork(context, { before: last.id });
    write(sentText(last));
  },
};
