import * as z from "zod";
import { commonFields } from "./common-fields.ts";
import type { JsonObject } from "./json-schema.ts";

const componentsSchema = z.object({
  components: z.object({ schemas: z.record(z.string(), z.object({ description: z.string().optional() })) }),
});
const fieldSchema = z.looseObject({
  description: z.string().optional(),
  $ref: z.string().optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.looseObject({ type: z.unknown().optional() })).optional(),
});

const commonByName = new Map(Object.entries(commonFields));

/**
 * In order: the docblock of the field's schema, the common description of its name, what it refers to when it is not
 * `null`, its only value.
 */
export function withInheritedDescriptions(document: JsonObject): unknown {
  const { schemas } = componentsSchema.parse(document).components;
  return withFields(document);

  function withFields(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(withFields);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        key === "example" ? part : key === "properties" ? describedFields(part) : withFields(part),
      ]),
    );
  }

  function describedFields(properties: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(properties).map(([name, field]) => {
        const own = fieldSchema.parse(field);
        const description = own.description ?? commonByName.get(name) ?? inherited(own);
        return [name, { description, ...Object(withFields(field)) }];
      }),
    );
  }

  function inherited({
    description,
    $ref,
    const: value,
    anyOf = [],
  }: z.infer<typeof fieldSchema>): string | undefined {
    if (description !== undefined) return description;
    if ($ref !== undefined) return schemas[$ref.slice($ref.lastIndexOf("/") + 1)]?.description;
    if (value !== undefined) return `Always \`${JSON.stringify(value)}\`.`;
    const [only, ...others] = anyOf.filter(({ type }) => type !== "null");
    return only === undefined || others.length > 0 ? undefined : inherited(fieldSchema.parse(only));
  }
}
