import type { JsonObject } from "../values/json-object.ts";

/** What a caller asks of one call beside its content; a vendor that has no place for one of them leaves it out. */
export interface ModelSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
  readonly maxOutputTokens?: number;
  readonly reasoningEffort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh";
  /** `{ name }`: that one. `{ allowed }`: none but those, as `mode` says. Absent: as the model likes. */
  readonly toolChoice?:
    | "auto"
    | "none"
    | "required"
    | { readonly name: string }
    | { readonly mode: "auto" | "required"; readonly allowed: readonly string[] };
  /** `false`: at most one call of a tool in a reply. Absent: as the model likes. */
  readonly parallelToolCalls?: false;
  /** Text that is one JSON value; `schema`: JSON Schema that it has to meet; `isStrict`: one that the vendor's own rules for them allow. */
  readonly responseFormat?: {
    readonly type: "json";
    readonly name?: string;
    readonly schema?: JsonObject;
    readonly isStrict?: boolean;
  };
  /** Fields of the vendor's own API that are none of the above, such as `top_k`: sent as they are written. */
  readonly vendorFields?: JsonObject;
}
