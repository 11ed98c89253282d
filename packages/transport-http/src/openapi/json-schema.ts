import * as z from "zod";

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of what is taken (`input`) or given (`output`). Answers stay open: a newer host may say more.
 * @throws for what has no JSON Schema: a contract that cannot be shown must not pass its tests.
 */
export function toJsonSchema(schema: z.core.$ZodType, io: "input" | "output" = "output"): JsonObject {
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      // What is around an object, such as that it may be absent, comes here with the object's own words.
      const isOpen = zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined;
      if (io === "output" && isOpen && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  const anyJson = new Set(Object.values(z.toJSONSchema(z.array(z.json())).$defs ?? {}).map(withoutReferences));
  if (!Object.values($defs).every((recursive) => anyJson.has(withoutReferences(recursive))))
    throw new Error("A schema refers to itself: give it a place in the components");
  return z.record(z.string(), z.unknown()).parse(JSON.parse(withoutReferences(rest)));
}

/** The one schema that refers to itself is that of any JSON value; `{}` says the same. */
function withoutReferences(schema: object): string {
  return JSON.stringify(schema).replaceAll(/\{"\$ref":"#\/\$defs\/__schema\d+"\}/g, "{}");
}
