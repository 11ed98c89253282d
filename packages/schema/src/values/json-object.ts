type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object, such as a JSON Schema. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** `false` for arrays. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
