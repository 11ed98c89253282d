import type { WireName } from "../model-server/wire/wire-format.ts";

/** What has to be seen of a reply. What is absent is not looked at. */
export interface QuirkOutcome {
  readonly text?: string;
  readonly reasoning?: string;
  /** Name and arguments of each call, the arguments parsed. */
  readonly calls?: readonly (readonly [name: string, input: unknown])[];
  readonly inputTokens?: number | null;
  readonly outputTokens?: number | null;
  /** It ended so. */
  readonly finishReason?: string;
  /** It failed so, with one of the codes; absent: it did not. */
  readonly failure?: {
    readonly codes: readonly string[];
    readonly says: string;
    /** Absent: as the format has it. */
    readonly isRetryable?: boolean;
  };
}

/** Something that a server does and that no specification has, as somebody has reported it. */
export interface Quirk {
  readonly id: string;
  /** Public reports of comparable programs, as `project#number`, and recordings of vendors. */
  readonly sources: readonly string[];
  /** What the server does, in a sentence. */
  readonly does: string;
  readonly wires: readonly WireName[];
  readonly answer: {
    /** Absent: 200. */
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string | Uint8Array<ArrayBuffer>;
    /** The connection breaks behind the body: once some of it was read, at once, or it stays open. Absent: it ends. */
    readonly breaks?: "read" | "unread" | "never";
  };
  readonly sees: QuirkOutcome;
  /** The reply was read before anybody listed it here: no change was made for it. */
  readonly held?: true;
}
