import type { MessagePart } from "@incipit/schema";
import { toFilePart } from "./file-part.ts";
import { invalidField } from "./invalid-field.ts";

const dataUrlRule =
  'must be a data: URL with its media type and base64, such as "data:image/png;base64,…": this host fetches nothing for a call';

/**
 * RFC 2397.
 * @throws {ServiceError} `INVALID_REQUEST` that names the field.
 */
export function dataUrlPart(url: string, field: string, filename?: string): MessagePart {
  const comma = url.indexOf(",");
  const [mediaType = "", ...parameters] = url.slice("data:".length, Math.max(0, comma)).split(";");
  if (!/^data:/i.test(url) || parameters.at(-1)?.toLowerCase() !== "base64") throw invalidField(field, dataUrlRule);
  const named = filename === undefined ? {} : { filename };
  return toFilePart({ mediaType: mediaType.toLowerCase(), data: url.slice(comma + 1), ...named }, field);
}
