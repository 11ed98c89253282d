/** A program that answers messages of one conversation through the model server and stores it on disk. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
  /** From process start until it accepts a message. */
  readonly readyMs: number;
  /** Sends a message; resolves at the end of its turn, as a client sees it. */
  takeTurn(input: string): Promise<void>;
}

export interface ProgramOptions {
  /** An empty folder for the program's data, configuration and home. */
  readonly folder: string;
  readonly modelUrl: string;
}

export interface ProgramKind {
  readonly name: string;
  /** Installs the program if necessary. Rejects with the reason when unavailable. */
  prepare(): Promise<(options: ProgramOptions) => Promise<Program>>;
}

export const readyTimeoutMs = 60_000;
export const turnTimeoutMs = 60_000;
