import type { Component } from "@earendil-works/pi-tui";
import type { TurnBody } from "@incipit/schema";
import type { FolderTrust } from "../options/terminal-options.ts";
import type { ConversationSession } from "../session/conversation-session.ts";
import type { Highlighter } from "../style/highlight.ts";
import type { Style } from "../style/style.ts";

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
  /** Lower ranks come first in any search; 0 if absent. */
  readonly rank?: number;
}

export interface ChooseOptions {
  /** Current value, marked and initially selected. */
  readonly current?: string;
  readonly query?: string;
  /** The choice has an immediate effect: only keys pressed after it appeared choose, and letters go to the editor. */
  readonly isQuestion?: boolean;
  /** Advice shown for an empty list. */
  readonly empty?: string;
  /** Returns sanitized preview lines of a selected entry. */
  readonly preview?: (value: string) => Promise<readonly string[]> | readonly string[];
}

export interface CommandContext {
  readonly session: ConversationSession;
  readonly style: Style;
  readonly highlighter: Highlighter;
  /** Key or command that expands folded text. */
  readonly expandWith: string;
  readonly print: (block: Component) => void;
  readonly tell: (text: string, level?: "muted" | "good" | "warning" | "bad") => void;
  /** Opens a searchable picker; resolves with `undefined` on cancel. */
  readonly choose: (
    title: string,
    choices: readonly Choice[],
    options?: ChooseOptions,
  ) => Promise<string | undefined>;
  readonly send: (body: TurnBody) => Promise<void>;
  readonly write: (text: string) => void;
  readonly folderTrust: (folder: string) => Promise<FolderTrust>;
  readonly leave: () => void;
  readonly commands: readonly TerminalCommand[];
}

/** A command `/NAME` of the terminal, unknown to the model. */
export interface TerminalCommand {
  readonly name: string;
  readonly summary: string;
  /** Argument syntax, such as `[MODEL]`; absent if it takes none. */
  readonly argument?: string;
  readonly complete?: (context: Pick<CommandContext, "session">) => Promise<readonly Choice[]>;
  readonly run: (context: CommandContext, argument: string) => Promise<void> | void;
}
