import { TerminalApp } from "./app/terminal-app.ts";
import type { TerminalEnd, TerminalOptions } from "./options/terminal-options.ts";

/** Resolves when the user exits. */
export function openTerminal(options: TerminalOptions): Promise<TerminalEnd> {
  return new TerminalApp(options).run();
}
