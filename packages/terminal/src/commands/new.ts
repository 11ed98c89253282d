import type { TerminalCommand } from "./command.ts";

export const begin: TerminalCommand = {
  name: "new",
  summary: "starts a new conversation",
  run({ session, tell }) {
    session.leave();
    tell("The next message starts a new conversation");
  },
};

export const stop: TerminalCommand = {
  name: "stop",
  summary: "stops the turn, like Esc",
  async run({ session, tell }) {
    if (session.running === undefined) return tell("No turn is running");
    await session.stop();
  },
};

export const quit: TerminalCommand = {
  name: "quit",
  summary: "exits; the conversation is kept",
  run: ({ leave }) => leave(),
};
