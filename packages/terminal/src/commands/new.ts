import type { TerminalCommand } from "./command.ts";

export const begin: TerminalCommand = {
  name: "new",
  summary: "starts a new conversation",
  run({ session, tell }) {
    session.leave();
    tell("The next message starts a new conversation");
  },
};
