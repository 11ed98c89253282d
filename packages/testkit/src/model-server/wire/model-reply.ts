/** Tokens of one call, as a vendor counts them. What is absent, the vendor does not report. */
export interface ReplyUsage {
  /** All of the prompt; what was read from a cache and written there is part of it. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** Reasoning in front of a reply; what a vendor's protocol has no place for is left out. */
export interface ReplyReasoning {
  readonly text: string;
  /**
   * Wanted back: of Anthropic the `signature`, of Gemini the `thoughtSignature` of what follows, of the Responses API the
   * `encrypted_content`.
   */
  readonly signature?: string;
  /** Anthropic's second block that nobody can read, wanted back as it is. */
  readonly redacted?: string;
}

export interface ReplyCall {
  /** `""`: none, where the protocol can do without (Gemini). */
  readonly id: string;
  readonly name: string;
  /** JSON text; several: one event each, where the protocol has calls in pieces (all but Gemini's). */
  readonly arguments: string | readonly string[];
  /** Wanted back with the call; in chat, in the place where Gemini's OpenAI endpoint has it. */
  readonly thoughtSignature?: string;
}

/** What the server answers to one request. Those that were put in the queue come first, then the default. */
export type ModelReply =
  /** Text in as many chunks as given. `gate`: each event but the first, those of the end included, waits for one `release()`. */
  | {
      readonly kind: "text";
      readonly chunks: readonly string[];
      readonly gate?: boolean;
      readonly reasoning?: string | ReplyReasoning;
      /** Absent: what the server was started with. */
      readonly usage?: "reported" | "absent" | ReplyUsage;
      /** Why it ended; absent: by itself. */
      readonly end?: "length" | "content-filter";
      /** Why it was refused; of the wires, Anthropic's and Gemini's alone say so beside the text. */
      readonly explanation?: string;
      /** The text of the request that ended it; of the wires, Anthropic's alone says which. */
      readonly stopSequence?: string;
    }
  | {
      readonly kind: "tool-calls";
      readonly calls: readonly ReplyCall[];
      /** Text in front of the calls. */
      readonly text?: string;
      readonly reasoning?: string | ReplyReasoning;
      readonly usage?: "reported" | "absent" | ReplyUsage;
      /** The body is over after the calls, without its end. */
      readonly isCut?: boolean;
    }
  | {
      readonly kind: "error";
      readonly status: number;
      readonly body: string | Uint8Array<ArrayBuffer>;
      readonly headers?: Readonly<Record<string, string>>;
      /** The connection breaks behind the body, on `release()`. */
      readonly breaks?: boolean;
    }
  | { readonly kind: "broken-json" }
  /** Some text, then the body is over without its end. For a connection that breaks, see `cutConnections`. */
  | { readonly kind: "cut"; readonly chunks: readonly string[] }
  /** Some text, then an error as an event of the stream. Not streamed: the error alone. */
  | {
      readonly kind: "error-event";
      readonly chunks: readonly string[];
      readonly error: { readonly message: string; readonly code?: string | number };
    }
  /** Accepts the request and never answers. */
  | { readonly kind: "never" };

export interface ReplyContext {
  /** `undefined`: nothing is reported. */
  readonly usage: ReplyUsage | undefined;
  /** Number of the request that it answers; counts from 1. */
  readonly number: number;
}

/** A reply that is written in a vendor's format. */
export type WrittenReply = Exclude<ModelReply, { readonly kind: "never" | "error" }>;

export function reasoningOf(reply: WrittenReply): ReplyReasoning | undefined {
  if (reply.kind !== "text" && reply.kind !== "tool-calls") return undefined;
  return typeof reply.reasoning === "string" ? { text: reply.reasoning } : reply.reasoning;
}

/** Text of the reply, in the chunks in which it comes. */
export function textsOf(reply: WrittenReply): readonly string[] {
  if (reply.kind === "broken-json") return [];
  if (reply.kind !== "tool-calls") return reply.chunks;
  return reply.text === undefined ? [] : [reply.text];
}

/** The pieces in which the arguments of a call come; at least one. */
export function argumentPieces({ arguments: input }: ReplyCall): readonly [string, ...(readonly string[])] {
  const [first = "", ...rest] = typeof input === "string" ? [input] : input;
  return [first, ...rest];
}

/** Bytes of all that the model says. */
export function replySizeBytes(reply: WrittenReply): number {
  const calls = reply.kind === "tool-calls" ? reply.calls : [];
  const called = calls.flatMap((call) => [call.name, ...argumentPieces(call)]);
  return Buffer.byteLength([reasoningOf(reply)?.text ?? "", ...textsOf(reply), ...called].join(""));
}
