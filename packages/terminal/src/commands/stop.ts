import type { TerminalCommand } from "./command.ts";

export const stop: TerminalCommand = {
  name: "stop",
  summary: "stops what runs, as Esc does",
  async run({ session, tell }) {
    if (session.running === undefined) return tell("Nothing runs");
    await session.stop();
  },
};
