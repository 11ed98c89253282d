import { parseJson } from "@incipit/kernel";

/** `undefined` for invalid JSON, or JSON nested too deeply. */
export function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/**
 * Replaces lone surrogates, which JSON escapes can express, by U+FFFD: vendors reject them in every later request of a
 * conversation.
 */
export function wellFormedJson(value: object): object {
  const text = JSON.stringify(value); // Surrogate pairs are written verbatim, lone surrogates as escapes.
  const mended = text.replaceAll(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) =>
    escape.startsWith("\\ud") ? "\ufffd" : escape,
  );
  return mended === text ? value : (jsonObject(mended) ?? {});
}

export function jsonObject(text: string): object | undefined {
  const value = parsedJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}
