import type { JsonObject, ToolDefinition } from "@incipit/schema";
import { invalidField } from "./invalid-field.ts";

/** The largest schema that OpenAI accepts has 120,000 characters. */
const maxSchemaBytes = 256 * 1_024;

/** A schema is transformed for each vendor and attempt, and sent with every call. */
export function checkSchema(field: string, schema: unknown): void {
  const sizeBytes = Buffer.byteLength(JSON.stringify(schema));
  if (sizeBytes <= maxSchemaBytes) return;
  throw invalidField(field, `has ${sizeBytes} bytes; the limit is ${maxSchemaBytes}: make it smaller`);
}

export interface ClientTool {
  readonly name: string;
  readonly description: string | null | undefined;
  readonly inputSchema: JsonObject | null | undefined;
  readonly nameField: string;
  readonly schemaField: string;
}

/** Returns the tools sorted by name, for stable prompt caching. */
export function toolsOf(given: readonly ClientTool[]): readonly ToolDefinition[] {
  const byName = new Map<string, ToolDefinition>();
  for (const { name, description, inputSchema: schema, nameField, schemaField } of given) {
    if (byName.has(name)) throw invalidField(nameField, `"${name}" is the name of another tool`);
    const inputSchema = schema ?? { type: "object", properties: {} };
    checkSchema(schemaField, inputSchema);
    byName.set(name, { name, description: description ?? "", inputSchema });
  }
  return [...byName.keys()].toSorted().flatMap((name) => byName.get(name) ?? []);
}

export function assertTool(tools: readonly ToolDefinition[], name: string, field: string): void {
  if (tools.some((tool) => tool.name === name)) return;
  throw invalidField(field, `"${name.slice(0, 100)}" is not a tool of this request`);
}
