import type { ToolDefinition } from "@incipit/schema";

/** What one search for tools has found, for a vendor that makes it the model's own. */
export interface FoundTools {
  /** Best first; results before may have found them, too. */
  readonly tools: readonly ToolDefinition[];
  /** What the result says of those that it does not name. */
  readonly more: string;
}

/**
 * Tools that the model looks up, for a vendor with a means of its own for that. The results stay in the messages as texts: a
 * provider may send those, and has to where it sends a request without what is here.
 */
export interface LookedUpTools {
  /**
   * What stands in each request and not in the model's context until a result names it: sorted by name, none of it in `tools`,
   * and the same for a whole epoch. Empty for a provider that wants them with the results.
   */
  readonly named: readonly ToolDefinition[];
  /** By the id of the call. Where `named` is not empty, it has all that they found. */
  readonly found: ReadonlyMap<string, FoundTools>;
}
