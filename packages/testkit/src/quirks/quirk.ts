import type { WireName } from "../model-server/wire/wire-format.ts";

/** Expected result of a reply; absent members are not compared. */
export interface QuirkOutcome {
  readonly text?: string;
  readonly reasoning?: string;
  /** Name and parsed arguments of each call. */
  readonly calls?: readonly (readonly [name: string, input: unknown])[];
  readonly inputTokens?: number | null;
  readonly outputTokens?: number | null;
  readonly finishReason?: string;
  /** Expected failure, with one of the codes. Absent for success. */
  readonly failure?: {
    readonly codes: readonly string[];
    readonly says: string;
    /** Defaults to the value of the format. */
    readonly isRetryable?: boolean;
  };
}

/** A reported behaviour of a server that no specification describes. */
export interface Quirk {
  readonly id: string;
  /** Public reports of comparable programs, as `project#number`, and recordings of vendors. */
  readonly sources: readonly string[];
  /** The server's behaviour, in a sentence. */
  readonly does: string;
  readonly wires: readonly WireName[];
  readonly answer: {
    /** 200 by default. */
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string | Uint8Array<ArrayBuffer>;
    /**
     * How the connection fails after the body: after a first read, immediately, or never closed. Absent for a regular
     * end.
     */
    readonly breaks?: "read" | "unread" | "never";
  };
  readonly sees: QuirkOutcome;
  /** Worked before it was listed here, without a change. */
  readonly held?: true;
}
