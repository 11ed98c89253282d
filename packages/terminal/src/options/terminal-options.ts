import type { Client } from "@incipit/transport-contract";

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
  /** Names the conversation to go on with; absent: the first message begins one. */
  readonly conversation?: (client: Client) => Promise<string>;
  /** Where what was sent is kept; absent: nowhere. */
  readonly historyFile?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isWholeScreen: boolean;
  /** Said at the beginning, such as which version this is. */
  readonly greeting: readonly string[];
  /** A sentence for a failure. */
  readonly problemText: (error: unknown) => string;
}

/** What the terminal was left with. */
export interface TerminalEnd {
  /** The conversation that was open; `undefined`: nothing was sent. */
  readonly conversationId: string | undefined;
}
