import type { CreateTurnRequest, ReasoningEffort, TurnBody, TurnEvent } from "@incipit/schema";
import type { Client } from "@incipit/transport-contract";

/** Settings sent with each message. */
export type EachTurn = Omit<TurnBody, "input" | "command">;

export type TurnFailure = NonNullable<Extract<TurnEvent, { type: "turn-end" }>["error"]>;

type InputPart = Exclude<CreateTurnRequest["input"], string>[number];

export interface TerminalOptions {
  /**
   * Resolves once a host is reachable; input typed before is queued. `note` is shown at the start, for example the
   * name of the host; `tell` reports later changes.
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
  /** Returns the id of the conversation to continue; if absent, the first message creates one. */
  readonly conversation?: (client: Client) => Promise<string>;
  /** File for sent messages; not kept if absent. */
  readonly historyFile?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Time without typing before a key can answer a question; 500 ms if absent. */
  readonly answerSettleMs?: number;
  readonly isWholeScreen: boolean;
  /** `auto` if absent, which queries the terminal. */
  readonly theme?: "auto" | "dark" | "light";
  /** Lines shown at the start, such as the version. */
  readonly greeting: readonly string[];
  /**
   * Reads files as parts of a message; `name` is the name as typed. @throws {Error} that names a file that cannot
   * be attached.
   */
  readonly readFiles: (
    files: readonly { readonly name: string; readonly path: string }[],
  ) => Promise<readonly InputPart[]>;
  /** Opens a file in the user's editor and resolves on exit. @throws {Error} if that fails. */
  readonly openEditor: (path: string) => Promise<void>;
  /**
   * Runs a command in the user's shell with access to the terminal. `output` is bounded, without known secrets and
   * escape sequences; `undefined` if not readable. @throws {Error} if it cannot be started. @param folder Absolute.
   */
  readonly runCommand: (
    command: string,
    folder: string,
  ) => Promise<{ readonly exitCode: number; readonly output: string | undefined }>;
  /** @param folder Absolute. @throws {Error} if it does not exist. */
  readonly folderTrust: (folder: string) => Promise<FolderTrust>;
  /** Formats an error as a sentence. */
  readonly problemText: (error: unknown) => string;
  /** Returns advice for a failed turn beyond its error message, or `undefined`. */
  readonly failureAdvice: (failure: TurnFailure, model: string | undefined) => string | undefined;
}

/** A folder as read, for the user to trust. */
export interface FolderTrust {
  /** Returns the effects of trusting the folder, or the reason that no answer is needed, wrapped to a width. */
  readonly words: (width: number) => string;
  /** Trusts the content as read; `undefined` if there is nothing to ask. */
  readonly trust: (() => void) | undefined;
}

export interface TerminalEnd {
  /** Open conversation; `undefined` if nothing was sent. */
  readonly conversationId: string | undefined;
  /** Whether the user exited with Ctrl-C. */
  readonly isInterrupted: boolean;
}
