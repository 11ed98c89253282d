import type { TerminalCommand } from "./command.ts";

export const quit: TerminalCommand = {
  name: "quit",
  summary: "exits; the conversation is kept",
  run: ({ leave }) => leave(),
};
