export interface Program extends AsyncDisposable {
  readonly pid: number;
  /** From the start until it accepts a message. */
  readonly readyMs: number;
  /** Resolves at the end of the turn, as a client sees it. */
  takeTurn(input: string): Promise<void>;
}

export interface ProgramOptions {
  /** For data, configuration and home. */
  readonly folder: string;
  readonly modelUrl: string;
}

export interface ProgramKind {
  readonly name: string;
  /** Rejects with the reason when unavailable. */
  prepare(): Promise<(options: ProgramOptions) => Promise<Program>>;
}

export const readyTimeoutMs = 60_000;
export const turnTimeoutMs = 60_000;
