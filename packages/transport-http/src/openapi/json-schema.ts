import * as z from "zod";

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Output schemas stay open, because a newer host may add fields.
 * @throws for a type without a JSON Schema, so that tests fail for an undocumentable contract.
 */
export function toJsonSchema(schema: z.core.$ZodType, io: "input" | "output" = "output"): JsonObject {
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      // A lazy schema is known to zod's registry by its prototype.
      const made: unknown = Object.getPrototypeOf(zodSchema);
      if (made instanceof z.ZodType && made.description !== undefined) jsonSchema.description ??= made.description;
      // Wrappers, such as optional, are visited with the object's own schema.
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

/** The only recursive schema is that of any JSON value, which `{}` also represents. */
function withoutReferences(schema: object): string {
  return JSON.stringify(schema, (key, value: unknown) => (key === "$ref" ? undefined : value));
}
