import type { TerminalCommand } from "./command.ts";

export const quit: TerminalCommand = {
  name: "quit",
  summary: "leaves; the conversation is kept",
  run: ({ leave }) => leave(),
};
