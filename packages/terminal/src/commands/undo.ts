import type { TerminalCommand } from "./command.ts";
import { goOnInFork } from "./fork.ts";
import { newestMessages } from "./history.ts";
import { sentText } from "./message-text.ts";

/** Messages among which the last one of a person is looked for: a turn may have many. */
const lookedThrough = 2_000;

export const undo: TerminalCommand = {
  name: "undo",
  summary: "takes the last message back into the editor, and goes on in a copy without it",
  async run(context) {
    const { session, tell, write } = context;
    if (session.running !== undefined)
      return tell("Something runs: Esc stops it, and /undo takes it back then", "warning");
    const messages = await newestMessages(context, lookedThrough);
    const last = messages.find(({ role, carriedFrom }) => role === "user" && carriedFrom === undefined);
    if (last === undefined) return tell("There is no message to take back");
    await goOnInFork(context, { before: last.id });
    write(sentText(last));
    tell("What tools have changed since then stays as it is");
  },
};
