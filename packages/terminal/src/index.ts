export { LineCommands, type LineCommandsOptions, type LineEnd } from "./lines/line-commands.ts";
export { openTerminal } from "./open-terminal.ts";
export type { FolderTrust, TerminalEnd, TerminalOptions } from "./options/terminal-options.ts";
