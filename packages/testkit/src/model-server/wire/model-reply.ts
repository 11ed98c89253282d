/** In the vendor's terms; absent members are not reported. */
export interface ReplyUsage {
  /** Includes cache reads and writes. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** Omitted where the protocol has none. */
export interface ReplyReasoning {
  readonly text: string;
  /**
   * Has to be returned: Anthropic's `signature`, Gemini's `thoughtSignature` on the next part, the
   * `encrypted_content` of the Responses API.
   */
  readonly signature?: string;
  /** Anthropic's redacted block, which has to be returned unchanged. */
  readonly redacted?: string;
}

export interface ReplyCall {
  /** `""`: none, where the protocol allows it (Gemini). */
  readonly id: string;
  readonly name: string;
  /** JSON text; several: one event each, where the protocol splits calls (all but Gemini's). */
  readonly arguments: string | readonly string[];
  /** Has to be returned with the call; in chat completions, in the field of Gemini's OpenAI endpoint. */
  readonly thoughtSignature?: string;
}

export type ModelReply =
  /** `gate`: each event except the first waits for one `release()`. */
  | {
      readonly kind: "text";
      readonly chunks: readonly string[];
      readonly gate?: boolean;
      readonly reasoning?: string | ReplyReasoning;
      /** Defaults to the server's setting. */
      readonly usage?: "reported" | "absent" | ReplyUsage;
      readonly end?: "length" | "content-filter";
      /** Anthropic and Gemini only. */
      readonly explanation?: string;
      /** Anthropic only. */
      readonly stopSequence?: string;
    }
  | {
      readonly kind: "tool-calls";
      readonly calls: readonly ReplyCall[];
      readonly text?: string;
      readonly reasoning?: string | ReplyReasoning;
      readonly usage?: "reported" | "absent" | ReplyUsage;
      /** The body ends after the calls. */
      readonly isCut?: boolean;
    }
  | {
      readonly kind: "error";
      readonly status: number;
      readonly body: string | Uint8Array<ArrayBuffer>;
      readonly headers?: Readonly<Record<string, string>>;
      /** Breaks the connection after the body, on `release()`. */
      readonly breaks?: boolean;
    }
  | { readonly kind: "broken-json" }
  /** For a broken connection, see `cutConnections`. */
  | { readonly kind: "cut"; readonly chunks: readonly string[] }
  /** Unstreamed: only the error. */
  | {
      readonly kind: "error-event";
      readonly chunks: readonly string[];
      readonly error: { readonly message: string; readonly code?: string | number };
    }
  | { readonly kind: "never" };

export interface ReplyContext {
  /** `undefined`: not reported. */
  readonly usage: ReplyUsage | undefined;
  /** From 1. */
  readonly number: number;
}

export type WrittenReply = Exclude<ModelReply, { readonly kind: "never" | "error" }>;

export function reasoningOf(reply: WrittenReply): ReplyReasoning | undefined {
  if (reply.kind !== "text" && reply.kind !== "tool-calls") return undefined;
  return typeof reply.reasoning === "string" ? { text: reply.reasoning } : reply.reasoning;
}

export function textsOf(reply: WrittenReply): readonly string[] {
  if (reply.kind === "broken-json") return [];
  if (reply.kind !== "tool-calls") return reply.chunks;
  return reply.text === undefined ? [] : [reply.text];
}

/** At least one. */
export function argumentPieces({ arguments: input }: ReplyCall): readonly [string, ...(readonly string[])] {
  const [first = "", ...rest] = typeof input === "string" ? [input] : input;
  return [first, ...rest];
}

export function replySizeBytes(reply: WrittenReply): number {
  const calls = reply.kind === "tool-calls" ? reply.calls : [];
  const called = calls.flatMap((call) => [call.name, ...argumentPieces(call)]);
  return Buffer.byteLength([reasoningOf(reply)?.text ?? "", ...textsOf(reply), ...called].join(""));
}
