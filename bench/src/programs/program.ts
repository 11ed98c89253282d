/** A program that takes messages of one conversation, asks the model server, and keeps the conversation on disk. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
  /** From the start of its process until it takes a message. */
  readonly readyMs: number;
  /** Sends a message; resolves when its turn has ended, as a client sees it. */
  takeTurn(input: string): Promise<void>;
}

export interface ProgramOptions {
  /** Nothing else is in it; data, configuration and home of the program. */
  readonly folder: string;
  readonly modelUrl: string;
}

export interface ProgramKind {
  /** As it is called, with its version. */
  readonly name: string;
  /** What it takes to start it, such as what is installed when first asked for. Rejects with the reason why it cannot be had. */
  prepare(): Promise<(options: ProgramOptions) => Promise<Program>>;
}

export const readyTimeoutMs = 60_000;
export const turnTimeoutMs = 60_000;
