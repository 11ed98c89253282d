export type Schema = Readonly<Record<string, unknown>>;

const single = ["items", "additionalProperties", "not", "contains", "if", "then", "else"];
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"];
const named = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];

export function* schemasIn(value: unknown, place: string): Generator<readonly [place: string, schema: Schema]> {
  if (!isSchema(value)) return;
  yield [place, value];
  for (const key of single) yield* schemasIn(value[key], `${place}.${key}`);
  for (const key of lists)
    for (const [index, inner] of listOf(value[key]).entries()) yield* schemasIn(inner, `${place}.${key}.${index}`);
  for (const key of named)
    for (const [name, inner] of Object.entries(isSchema(value[key]) ? value[key] : {}))
      yield* schemasIn(inner, `${place}.${key}.${name}`);
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
