import type { Component } from "@earendil-works/pi-tui";
import type { TurnBody } from "@incipit/schema";
import type { FolderTrust } from "../options/terminal-options.ts";
import type { ConversationSession } from "../session/conversation-session.ts";
import type { Highlighter } from "../style/highlight.ts";
import type { Style } from "../style/style.ts";

/** What a person chooses among. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
  /** Those with a lower one come first, whatever is searched for; absent: 0. */
  readonly rank?: number;
}

export interface ChooseOptions {
  /** The value that is in force: it is marked, and where one begins. */
  readonly current?: string;
  /** What is searched for at first. */
  readonly query?: string;
  /** A choice changes something at once: only keys that come once it has been seen choose, and letters go to the editor. */
  readonly isQuestion?: boolean;
  /** What to do where there is nothing to choose from. */
  readonly empty?: string;
  /** What there is to see of an entry, in lines that steer nothing; asked when somebody stands on it. */
  readonly preview?: (value: string) => Promise<readonly string[]> | readonly string[];
}

/** What a command works with: the conversation, and whoever sits at the terminal. */
export interface CommandContext {
  readonly session: ConversationSession;
  readonly style: Style;
  readonly highlighter: Highlighter;
  /** The key or command that shows what is folded. */
  readonly expandWith: string;
  /** Prints a block into the log. */
  readonly print: (block: Component) => void;
  /** A line of the terminal's own. */
  readonly tell: (text: string, level?: "muted" | "good" | "warning" | "bad") => void;
  /** Lets a person choose, with a search. `undefined`: they chose nothing. */
  readonly choose: (
    title: string,
    choices: readonly Choice[],
    options?: ChooseOptions,
  ) => Promise<string | undefined>;
  /** Sends a message. */
  readonly send: (body: TurnBody) => Promise<void>;
  /** Puts a text into the editor. */
  readonly write: (text: string) => void;
  readonly folderTrust: (folder: string) => Promise<FolderTrust>;
  /** Ends the terminal. */
  readonly leave: () => void;
  readonly commands: readonly TerminalCommand[];
}

/** A line that begins with `/NAME`, and is not for the model. */
export interface TerminalCommand {
  readonly name: string;
  /** What it does, in a few words. */
  readonly summary: string;
  /** What may stand behind the name, such as `[MODEL]`; absent: nothing. */
  readonly argument?: string;
  /** What could stand there. */
  readonly complete?: (context: Pick<CommandContext, "session">) => Promise<readonly Choice[]>;
  readonly run: (context: CommandContext, argument: string) => Promise<void> | void;
}
