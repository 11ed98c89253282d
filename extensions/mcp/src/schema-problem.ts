import * as z from "zod";

const typeSchema = z.enum(["array", "boolean", "integer", "null", "number", "object", "string"]);

/** Vendors validate this much; an invalid schema would fail every request of an epoch. */
const jsonSchemaSchema: z.ZodType = z.lazy(() => {
  const schema = jsonSchemaSchema;
  const schemas = z.array(schema).min(1);
  const named = z.record(z.string(), schema);
  return z.union([
    z.boolean(),
    z.looseObject({
      type: z.union([typeSchema, z.array(typeSchema).min(1)]).optional(),
      properties: named.optional(),
      patternProperties: named.optional(),
      $defs: named.optional(),
      definitions: named.optional(),
      required: z.array(z.string()).optional(),
      additionalProperties: schema.optional(),
      items: z.union([schema, schemas]).optional(),
      prefixItems: schemas.optional(),
      anyOf: schemas.optional(),
      oneOf: schemas.optional(),
      allOf: schemas.optional(),
      not: schema.optional(),
      enum: z.array(z.unknown()).optional(),
      $ref: z.string().optional(),
      description: z.string().optional(),
      title: z.string().optional(),
      format: z.string().optional(),
    }),
  ]);
});

export function schemaProblem(schema: unknown): string | undefined {
  if (!z.looseObject({ type: z.literal("object") }).safeParse(schema).success) return "is not of the type object";
  return jsonSchemaSchema.safeParse(schema).success ? undefined : "is not a JSON Schema";
}
