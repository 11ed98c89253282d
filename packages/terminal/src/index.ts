export { LineCommands, type LineCommandsOptions, type LineEnd } from "./lines/line-commands.ts";
export { openTerminal } from "./app/terminal-app.ts";
export type { FolderTrust, TerminalEnd, TerminalOptions } from "./options/terminal-options.ts";
