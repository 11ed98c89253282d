import type { WireName } from "../model-server/wire/wire-format.ts";

/** Absent members are not compared. */
export interface QuirkOutcome {
  readonly text?: string;
  readonly reasoning?: string;
  /** Parsed arguments. */
  readonly calls?: readonly (readonly [name: string, input: unknown])[];
  readonly inputTokens?: number | null;
  readonly outputTokens?: number | null;
  readonly finishReason?: string;
  /** One of the codes; absent for success. */
  readonly failure?: {
    readonly codes: readonly string[];
    readonly says: string;
    /** Defaults to the format's. */
    readonly isRetryable?: boolean;
  };
}

/** Behaviour of real servers that no specification describes. */
export interface Quirk {
  readonly id: string;
  /** Reports of comparable programs, as `project#number`, and recordings of vendors. */
  readonly sources: readonly string[];
  readonly does: string;
  readonly wires: readonly WireName[];
  readonly answer: {
    /** 200 by default. */
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string | Uint8Array<ArrayBuffer>;
    /** After the body: after a first read, immediately, or never closed. Absent for a regular end. */
    readonly breaks?: "read" | "unread" | "never";
  };
  readonly sees: QuirkOutcome;
}
