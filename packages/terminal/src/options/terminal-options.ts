import type { CreateTurnRequest, ReasoningEffort, TurnBody, TurnEvent } from "@incipit/schema";
import type { Client } from "@incipit/transport-contract";

export type EachTurn = Omit<TurnBody, "input" | "command">;

export type TurnFailure = NonNullable<Extract<TurnEvent, { type: "turn-end" }>["error"]>;

type InputPart = Exclude<CreateTurnRequest["input"], string>[number];

export interface TerminalOptions {
  /**
   * Resolves once a host is reachable; earlier input is queued. `note` is shown at the start, `tell` reports changes.
   */
  readonly connect: (
    tell: (text: string) => void,
  ) => Promise<{ readonly client: Client; readonly note: string | undefined }>;
  readonly cwd: string;
  readonly model?: string;
  readonly profile?: string;
  readonly effort?: ReasoningEffort;
  readonly eachTurn: EachTurn;
  /** If absent, the first message creates one. */
  readonly conversation?: (client: Client) => Promise<string>;
  /** Sent messages; not kept if absent. */
  readonly historyFile?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Time without typing before a key answers a question; 500 ms if absent. */
  readonly answerSettleMs?: number;
  readonly isWholeScreen: boolean;
  /** `auto` (default) queries the terminal. */
  readonly theme?: "auto" | "dark" | "light";
  readonly greeting: readonly string[];
  /** `name` as typed. @throws {Error} that names a file that cannot be attached. */
  readonly readFiles: (
    files: readonly { readonly name: string; readonly path: string }[],
  ) => Promise<readonly InputPart[]>;
  /** Resolves on exit. @throws {Error} if that fails. */
  readonly openEditor: (path: string) => Promise<void>;
  /**
   * Runs in the user's shell with access to the terminal. `output` is bounded, without known secrets and escape
   * sequences; `undefined` if not readable. @throws {Error} if it cannot be started.
   */
  readonly runCommand: (
    command: string,
    folder: string,
  ) => Promise<{ readonly exitCode: number; readonly output: string | undefined }>;
  /** @throws {Error} if the folder does not exist. */
  readonly folderTrust: (folder: string) => Promise<FolderTrust>;
  readonly writeExport: WriteExport;
  readonly problemText: (error: unknown) => string;
  readonly failureAdvice: (failure: TurnFailure, model: string | undefined) => string | undefined;
}

/** Returns the size in bytes. @throws {Error} if the file cannot be written, or the export is truncated. */
export type WriteExport = (
  client: Client,
  options: { readonly id: string; readonly file: string; readonly isReplaced: boolean },
) => Promise<number>;

/** A folder as read, for the user to trust. */
export interface FolderTrust {
  /** Effects of trusting, or why no answer is needed. */
  readonly words: (width: number) => string;
  /** `undefined` if there is nothing to ask. */
  readonly trust: (() => void) | undefined;
}

export interface TerminalEnd {
  /** `undefined` if nothing was sent. */
  readonly conversationId: string | undefined;
  /** Whether the user exited with Ctrl-C. */
  readonly isInterrupted: boolean;
}
