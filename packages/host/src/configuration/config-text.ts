import { decodeText } from "@incipit/schema";
import { ConfigError } from "./config-error.ts";

/**
 * Decodes UTF-8, UTF-16 or Windows-1252 without its byte order mark.
 * @throws {ConfigError} for binary data and other encodings.
 */
export function configText(bytes: Uint8Array, file: string): string {
  const text = decodeText(bytes)?.text;
  if (text !== undefined) return text;
  const why = "it is not UTF-8 text, and its encoding is not recognized; save it as UTF-8";
  throw new ConfigError(`Cannot read the configuration "${file}": ${why}`);
}
