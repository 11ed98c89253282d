import type { ToolDefinition } from "@incipit/schema";

/** Results of one tool search, for vendors with native support. */
export interface FoundTools {
  /** Best match first; may repeat tools of earlier results. */
  readonly tools: readonly ToolDefinition[];
  /** Text of the result about matches that it does not list. */
  readonly more: string;
}

/**
 * Deferred tools, for vendors with native tool search. Results are also in the messages as plain text, which a
 * provider may send instead, and must when it omits this field.
 */
export interface DeferredTools {
  /**
   * Tools sent in each request but kept out of the model's context until a result names them. Sorted by name,
   * disjoint from `tools`, constant within an epoch. Empty for providers that want definitions with the results.
   */
  readonly named: readonly ToolDefinition[];
  /** By tool call id. If `named` is not empty, it contains all found tools. */
  readonly found: ReadonlyMap<string, FoundTools>;
}
