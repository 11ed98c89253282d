import type { TerminalCommand } from "./command.ts";

export const stop: TerminalCommand = {
  name: "stop",
  summary: "stops the turn, like Esc",
  async run({ session, tell }) {
    if (session.running === undefined) return tell("No turn is running");
    await session.stop();
  },
};
