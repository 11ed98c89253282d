import { inputOf, lastUserMessage } from "@incipit/transport-contract";
import type { TerminalCommand } from "./command.ts";
import { openFork } from "./fork.ts";

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
