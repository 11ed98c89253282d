type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object, such as a JSON Schema. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
