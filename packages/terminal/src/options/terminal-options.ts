import type { CreateTurnRequest, ReasoningEffort, TurnBody, TurnEvent } from "@incipit/schema";
import type { Client } from "@incipit/transport-contract";

/** What goes with each message that is sent here. */
export type EachTurn = Omit<TurnBody, "input" | "command">;

/** Why a turn ended as it did. */
export type TurnFailure = NonNullable<Extract<TurnEvent, { type: "turn-end" }>["error"]>;

type InputPart = Exclude<CreateTurnRequest["input"], string>[number];

export interface TerminalOptions {
  /**
   * Resolves once a host can be asked; what is typed before waits. `note` is said at the beginning, such as which host it is; `tell`
   * says what happens to it later.
   */
  readonly connect: (
    tell: (text: string) => void,
  ) => Promise<{ readonly client: Client; readonly note: string | undefined }>;
  /** Absolute. */
  readonly cwd: string;
  readonly model?: string;
  readonly profile?: string;
  readonly effort?: ReasoningEffort;
  readonly eachTurn: EachTurn;
  /** Names the conversation to go on with; absent: the first message begins one. */
  readonly conversation?: (client: Client) => Promise<string>;
  /** Where what was sent is kept; absent: nowhere. */
  readonly historyFile?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long nobody types before a key can answer a question; absent: 500 ms. */
  readonly answerSettleMs?: number;
  readonly isWholeScreen: boolean;
  /** Absent: `auto`, as the terminal says. */
  readonly theme?: "auto" | "dark" | "light";
  /** Said at the beginning, such as which version this is. */
  readonly greeting: readonly string[];
  /**
   * What files hold, as parts of a message; `name` is how somebody wrote it. @throws {Error} that names the one that cannot be
   * attached.
   */
  readonly readFiles: (
    files: readonly { readonly name: string; readonly path: string }[],
  ) => Promise<readonly InputPart[]>;
  /** Opens a file in the editor of whoever sits here, until they leave it. @throws {Error} when it fails. */
  readonly openEditor: (path: string) => Promise<void>;
  /**
   * Runs a command in the user's shell, which has the terminal until it ends. Its `output` has no secrets that are known, no escape
   * sequences, and a bound; absent: nothing of it can be read. @throws {Error} when it cannot be started. @param folder Absolute.
   */
  readonly runCommand: (
    command: string,
    folder: string,
  ) => Promise<{ readonly exitCode: number; readonly output: string | undefined }>;
  /** @param folder Absolute. @throws {Error} where there is none. */
  readonly folderTrust: (folder: string) => Promise<FolderTrust>;
  /** A sentence for a failure. */
  readonly problemText: (error: unknown) => string;
  /** What to do about a turn that failed, beside what its error says; `undefined`: nothing more is known. */
  readonly failureAdvice: (failure: TurnFailure, model: string | undefined) => string | undefined;
}

/** A folder as it was read, for a person to trust. */
export interface FolderTrust {
  /** What whoever trusts it agrees to; or that it is trusted, or why it cannot be. In lines, for so many columns. */
  readonly words: (width: number) => string;
  /** Trusts it with what it held when it was read; `undefined`: nobody is to be asked. */
  readonly trust: (() => void) | undefined;
}

/** What the terminal was left with. */
export interface TerminalEnd {
  /** The conversation that was open; `undefined`: nothing was sent. */
  readonly conversationId: string | undefined;
  /** It was left with Ctrl-C. */
  readonly isInterrupted: boolean;
}
