import type { JsonObject } from "../values/json-object.ts";

/** A tool definition as sent to models. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
}
