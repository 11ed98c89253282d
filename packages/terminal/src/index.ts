export { openTerminal } from "./open-terminal.ts";
export type { TerminalEnd, TerminalOptions } from "./options/terminal-options.ts";
