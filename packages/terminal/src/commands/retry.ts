import { inputOf, lastUserMessage } from "@incipit/transport-contract";
import type { TerminalCommand } from "./command.ts";
import { openFork } from "./fork.ts";

export const retry: TerminalCommand = {
  name: "retry",
  summary: "sends the last message again, in a copy without its answer; files stay as they are",
  async run(context) {
    const { session, send, tell } = context;
    if (session.running !== undefined)
      return tell("Something runs: Esc stops it, and /retry sends the message again then", "warning");
    const id = session.conversation?.id;
    const last = id === undefined ? undefined : await lastUserMessage(session.client, id);
    if (last === undefined) return tell("There is no message to send again");
    await openFork(context, { before: last.id });
    await send({ input: inputOf(last) });
  },
};
