import { parseJson } from "@incipit/kernel";

/** `undefined` for what is no JSON, or nested too deeply to be any. */
export function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/**
 * A JSON value whose texts are all UTF-8: JSON can spell half a surrogate pair, and vendors refuse each request that has one,
 * so that a conversation would be over. U+FFFD stands in its place.
 */
export function wellFormedJson(value: object): object {
  const text = JSON.stringify(value); // A whole pair is written as it is, and half a one as an escape.
  const mended = text.replaceAll(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) =>
    escape.startsWith("\\ud") ? "\ufffd" : escape,
  );
  return mended === text ? value : (jsonObject(mended) ?? {});
}

/** The JSON object that a text is; `undefined`: it is none. */
export function jsonObject(text: string): object | undefined {
  const value = parsedJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}
