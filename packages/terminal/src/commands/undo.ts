import { undoWords, redoWords } from "@incipit/cli-text";
import { sentText } from "@incipit/schema";
import { fileChanges, lastUserMessage, inputOf } from "@incipit/transport-contract";
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

export const retry: TerminalCommand = {
  name: "retry",
  summary: "resends the last message, in a copy without its answer; keeps file changes",
  async run(context) {
    const { session, send, tell } = context;
    if (session.running !== undefined)
      return tell("A turn is running: stop it with Esc, then use /retry", "warning");
    const id = session.conversation?.id;
    const last = id === undefined ? undefined : await lastUserMessage(session.client, id);
    if (last === undefined) return tell("No message to resend");
    await openFork(context, { before: last.id });
    await send({ input: inputOf(last) });
  },
};
