export interface ChatChunk {
  readonly id?: string | null | undefined;
  readonly created?: number | null | undefined;
  readonly model?: string | null | undefined;
  readonly choices: readonly ChatChoice[];
  readonly usage?: ChatRawUsage | null | undefined;
}

export interface ChatChoice {
  /** Some servers send a complete message at the end or instead of deltas. */
  readonly message?: ChatChunkDelta;
  readonly delta?: ChatChunkDelta | null | undefined;
  readonly finish_reason?: string | null | undefined;
}

export interface ChatChunkDelta {
  readonly content?: string | readonly ContentPart[] | null | undefined;
  /** Compatible endpoints may send any type. */
  readonly refusal?: unknown;
  readonly reasoning_content?: string | null | undefined;
  readonly reasoning?: string | null | undefined;
  readonly tool_calls?: readonly ToolCallDelta[] | null | undefined;
  readonly annotations?: readonly unknown[] | null | undefined;
}

export interface ContentPart {
  readonly type: string;
  readonly text?: unknown;
  readonly thinking?: unknown;
}

export interface ToolCallDelta {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly type?: "function" | null | undefined;
  readonly function: { readonly name?: string | null | undefined; readonly arguments?: string | null | undefined };
  readonly extra_content?:
    | { readonly google?: { readonly thought_signature?: string | null | undefined } | null | undefined }
    | null
    | undefined;
}

export interface ChatRawUsage {
  /** Compatible endpoints may send any type. */
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly total_tokens?: unknown;
  readonly prompt_tokens_details?: unknown;
  /** DeepSeek only. */
  readonly prompt_cache_hit_tokens?: unknown;
  readonly prompt_cache_miss_tokens?: unknown;
  readonly completion_tokens_details?: unknown;
  /** OpenRouter and Perplexity only. */
  readonly cost?: unknown;
}
