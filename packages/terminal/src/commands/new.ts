import type { TerminalCommand } from "./command.ts";

export const begin: TerminalCommand = {
  name: "new",
  summary: "begins another conversation",
  run({ session, tell }) {
    session.leave();
    tell("The next message begins a new conversation");
  },
};
