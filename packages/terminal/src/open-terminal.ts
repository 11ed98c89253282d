import { TerminalApp } from "./app/terminal-app.ts";
import type { TerminalEnd, TerminalOptions } from "./options/terminal-options.ts";

/** Opens the terminal; resolves when it was left. */
export function openTerminal(options: TerminalOptions): Promise<TerminalEnd> {
  return new TerminalApp(options).run();
}
