import { shorten } from "@incipit/common";
import { ServiceError, type EntityTags } from "@incipit/service-contract";

/** A weak or strong tag, or nothing between two commas. */
const elementPattern = /[ \t]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")?[ \t]*(?:,|$)/y;

/**
 * RFC 9110, section 13.1.
 * @throws {ServiceError} `INVALID_REQUEST` unless `*` or a list of entity tags.
 */
export function parseEntityTags(header: string, value: string): EntityTags {
  if (value.trim() === "*") return "*";
  const tags: string[] = [];
  elementPattern.lastIndex = 0;
  while (elementPattern.lastIndex < value.length) {
    const [whole, tag] = elementPattern.exec(value) ?? [];
    if (whole === undefined) throw invalid(header, value);
    if (tag !== undefined) tags.push(tag);
  }
  if (tags.length === 0) throw invalid(header, value);
  return tags;
}

function invalid(header: string, value: string): ServiceError {
  const given = shorten(value, 80);
  const message = `The header ${header} is not valid: ${JSON.stringify(given)} is neither * nor a list of entity tags; send the "ETag" of the GET unchanged, with its double quotes`;
  return new ServiceError("INVALID_REQUEST", message);
}
