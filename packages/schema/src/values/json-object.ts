type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** An object that is JSON, such as a JSON Schema. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
