/**
 * Where a value has something that its schema has left out of `parsed`, such as `parts.0.url`; `undefined`: nothing. What is
 * nested too deep to be walked was refused before.
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

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
