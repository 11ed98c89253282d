import { invalidField } from "./invalid-field.ts";

/** Largest JSON Schema of a client. The largest of OpenAI's own take 120,000 characters. */
const maxSchemaBytes = 256 * 1_024;

/**
 * A schema is taken apart and put together for each vendor and each try, and is sent with every call.
 * @throws {ServiceError} `INVALID_REQUEST` for one that is larger than that.
 */
export function checkSchema(field: string, schema: unknown): void {
  const sizeBytes = Buffer.byteLength(JSON.stringify(schema));
  if (sizeBytes <= maxSchemaBytes) return;
  throw invalidField(field, `has ${sizeBytes} bytes, and a schema may have ${maxSchemaBytes}: ask for less of it`);
}
