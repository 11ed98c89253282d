import { parseJson } from "@incipit/kernel";

/** `undefined` for what is no JSON, or nested too deeply to be any. */
export function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The JSON object that a text is; `undefined`: it is none. */
export function jsonObject(text: string): object | undefined {
  const value = parsedJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}
