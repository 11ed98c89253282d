import type { JsonObject } from "../values/json-object.ts";

/** Settings of a model call. A vendor that does not support a setting ignores it. */
export interface ModelSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
  readonly maxOutputTokens?: number;
  readonly reasoningEffort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh";
  /** `{ name }`: this tool. `{ allowed }`: only these, according to `mode`. Defaults to the model's choice. */
  readonly toolChoice?:
    | "auto"
    | "none"
    | "required"
    | { readonly name: string }
    | { readonly mode: "auto" | "required"; readonly allowed: readonly string[] };
  /** `false`: at most one tool call per reply. */
  readonly parallelToolCalls?: false;
  /**
   * Requests a JSON reply that matches `schema`. `isStrict`: use the vendor's strict mode, which restricts schemas.
   */
  readonly responseFormat?: {
    readonly type: "json";
    readonly name?: string;
    readonly schema?: JsonObject;
    readonly isStrict?: boolean;
  };
  /** Vendor-specific fields, such as `top_k`, passed through. */
  readonly vendorFields?: JsonObject;
}
