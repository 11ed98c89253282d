import { invalidField } from "./invalid-field.ts";

/** Limit for a client's JSON Schema. The largest that OpenAI accepts has 120,000 characters. */
const maxSchemaBytes = 256 * 1_024;

/**
 * Limits the size of a schema, which is transformed for each vendor and attempt, and sent with every call.
 * @throws {ServiceError} `INVALID_REQUEST`.
 */
export function checkSchema(field: string, schema: unknown): void {
  const sizeBytes = Buffer.byteLength(JSON.stringify(schema));
  if (sizeBytes <= maxSchemaBytes) return;
  throw invalidField(field, `has ${sizeBytes} bytes, and a schema may have ${maxSchemaBytes}: ask for less of it`);
}
