import { invalidField } from "./invalid-field.ts";

/** The largest schema that OpenAI accepts has 120,000 characters. */
const maxSchemaBytes = 256 * 1_024;

/** A schema is transformed for each vendor and attempt, and sent with every call. */
export function checkSchema(field: string, schema: unknown): void {
  const sizeBytes = Buffer.byteLength(JSON.stringify(schema));
  if (sizeBytes <= maxSchemaBytes) return;
  throw invalidField(field, `has ${sizeBytes} bytes; the limit is ${maxSchemaBytes}: make it smaller`);
}
