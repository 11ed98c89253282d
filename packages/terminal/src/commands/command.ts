import type { Component } from "@earendil-works/pi-tui";
import type { TurnBody } from "@incipit/schema";
import type { FolderTrust, WriteExport } from "../options/terminal-options.ts";
import type { TerminalSession } from "../session/terminal-session.ts";
import type { Highlighter } from "../style/highlight.ts";
import type { Style } from "../style/style.ts";

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
  /** Lower ranks come first; 0 if absent. */
  readonly rank?: number;
}

export interface ChooseOptions {
  readonly current?: string;
  readonly query?: string;
  /**
   * Whether a choice has an immediate effect. Then only keys pressed after it appeared choose, and letters go to the
   * editor.
   */
  readonly isQuestion?: boolean;
  readonly empty?: string;
  /** Sanitized lines. */
  readonly preview?: (value: string) => Promise<readonly string[]> | readonly string[];
}

export interface CommandContext {
  readonly session: TerminalSession;
  readonly style: Style;
  readonly highlighter: Highlighter;
  readonly expandWith: string;
  readonly print: (block: Component) => void;
  readonly tell: (text: string, level?: "muted" | "good" | "warning" | "bad") => void;
  readonly choose: (
    title: string,
    choices: readonly Choice[],
    options?: ChooseOptions,
  ) => Promise<string | undefined>;
  readonly send: (body: TurnBody) => Promise<void>;
  readonly write: (text: string) => void;
  readonly folderTrust: (folder: string) => Promise<FolderTrust>;
  readonly writeExport: WriteExport;
  readonly leave: () => void;
  readonly commands: readonly TerminalCommand[];
}

export interface TerminalCommand {
  readonly name: string;
  readonly summary: string;
  readonly argument?: string;
  readonly complete?: (context: Pick<CommandContext, "session">) => Promise<readonly Choice[]>;
  readonly run: (context: CommandContext, argument: string) => Promise<void> | void;
}
