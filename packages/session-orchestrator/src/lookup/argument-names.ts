/** Per tool, because schemas are untrusted. */
const maxSchemas = 500;

/** Keywords with subschemas by name: https://json-schema.org/draft/2020-12/json-schema-core#section-10 */
const maps = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const singles = new Set("items prefixItems additionalProperties allOf anyOf oneOf if then else".split(" "));

export function argumentNames(schema: unknown): readonly string[] {
  const names = new Set<string>();
  const waiting = isObject(schema) ? [schema] : [];
  for (let looked = 0; looked < maxSchemas && looked < waiting.length; looked += 1) {
    for (const [keyword, value] of Object.entries(waiting[looked] ?? {})) {
      const inner: readonly unknown[] = maps.has(keyword)
        ? Object.values(value ?? {})
        : singles.has(keyword)
          ? [value].flat()
          : [];
      // References need no special handling: their targets are visited in place.
      waiting.push(...inner.filter(isObject));
      if (keyword === "properties") for (const name of Object.keys(value ?? {})) names.add(name);
    }
  }
  return [...names];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
