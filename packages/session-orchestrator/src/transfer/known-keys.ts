import { isObject } from "@incipit/schema";
/**
 * The path of a key that the schema removed from `parsed`, such as `parts.0.url`. Excessive nesting must be rejected
 * before.
 */
export function unknownKey(value: unknown, parsed: unknown): string | undefined {
  if (Array.isArray(value) && Array.isArray(parsed)) {
    for (const [index, item] of value.entries()) {
      const inner = unknownKey(item, parsed[index]);
      if (inner !== undefined) return `${index}.${inner}`;
    }
    return undefined;
  }
  if (!isObject(value) || !isObject(parsed)) return undefined;
  const known = new Map(Object.entries(parsed));
  for (const [key, item] of Object.entries(value)) {
    if (!known.has(key)) return key;
    const inner = unknownKey(item, known.get(key));
    if (inner !== undefined) return `${key}.${inner}`;
  }
  return undefined;
}
