// Output format: https://platform.openai.com/docs/api-reference/chat/object

export interface ChatHead {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly model: string;
}

interface WrittenToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Unreported values are absent. */
export interface WrittenUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly total_tokens?: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number; readonly cache_write_tokens?: number };
  readonly completion_tokens_details?: { readonly reasoning_tokens: number };
}

interface WrittenChoice {
  readonly index: 0;
  readonly logprobs: null;
  readonly finish_reason: "stop" | "length" | "tool_calls" | "content_filter";
}

export interface ChatCompletion extends ChatHead {
  readonly object: "chat.completion";
  readonly choices: (WrittenChoice & {
    readonly message: {
      readonly role: "assistant";
      readonly content: string | null;
      readonly refusal: null;
      readonly reasoning_content?: string;
      readonly tool_calls?: WrittenToolCall[];
    };
  })[];
  readonly usage?: WrittenUsage;
}

export interface ChatDelta {
  readonly role?: "assistant";
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: (WrittenToolCall & { readonly index: number })[];
}

export interface ChatCompletionChunk extends ChatHead {
  readonly object: "chat.completion.chunk";
  /** Empty in the chunk with the usage. */
  readonly choices: (Omit<WrittenChoice, "finish_reason"> & {
    readonly delta: ChatDelta;
    readonly finish_reason: WrittenChoice["finish_reason"] | null;
  })[];
  /** With `stream_options.include_usage`: `null` until the end. */
  readonly usage?: WrittenUsage | null;
}
