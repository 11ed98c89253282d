import { valueProblem, type QuestionField } from "@incipit/schema";
import * as z from "zod";

const count = z.int().nonnegative().optional();
const titled = z.array(z.looseObject({ const: z.string(), title: z.string().optional() }));

const propertySchema = z.looseObject({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.enum(["email", "uri", "date", "date-time"]).optional(),
  minLength: count,
  maxLength: count,
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: count,
  maxItems: count,
  enum: z.array(z.string()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: titled.optional(),
  items: z
    .looseObject({ enum: z.array(z.string()).optional(), anyOf: titled.optional(), oneOf: titled.optional() })
    .optional(),
  default: z.unknown().optional(),
});
type Property = z.infer<typeof propertySchema>;

const requestedSchema = z.looseObject({
  type: z.literal("object"),
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).optional(),
});

/**
 * In order. Invalid defaults are omitted.
 * @throws {Error} with the reason and the field.
 */
export function requestedFields(given: unknown): readonly QuestionField[] {
  const { data, error } = requestedSchema.safeParse(given);
  if (data === undefined) throw new Error(`requestedSchema is invalid: ${z.prettifyError(error)}`);
  const { properties, required = [] } = data;
  const missing = required.find((name) => !Object.hasOwn(properties, name));
  if (missing !== undefined) throw new Error(`requestedSchema requires "${missing}", and has no such property`);
  return Object.entries(properties).map(([name, property]) => {
    const parsed = propertySchema.safeParse(property);
    const made = parsed.success ? fieldOf(name, parsed.data, required.includes(name)) : undefined;
    if (made !== undefined) return withDefault(made, parsed.data?.default);
    const taken = "a string, number, integer, boolean, enum, or an array of an enum";
    const why = parsed.success ? "" : `: ${z.prettifyError(parsed.error)}`;
    throw new Error(`requestedSchema has the property "${name}", which is not ${taken}${why}`);
  });
}

function fieldOf(name: string, property: Property, isRequired: boolean): QuestionField | undefined {
  const { type, title, description, items } = property;
  const base = {
    name,
    isRequired,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
  const options = optionsOf(property);
  if (options !== undefined)
    return type === undefined || type === "string" ? { kind: "choice", ...base, options } : undefined;
  switch (type) {
    case "string": {
      const { format, minLength, maxLength } = property;
      return { kind: "text", ...base, ...given({ format, minLength, maxLength }) };
    }
    case "number":
    case "integer": {
      const { minimum, maximum } = property;
      return { kind: "number", ...base, isInteger: type === "integer", ...given({ minimum, maximum }) };
    }
    case "boolean":
      return { kind: "boolean", ...base };
    case "array": {
      const { minItems, maxItems } = property;
      const choices = items === undefined ? undefined : optionsOf({ ...items, oneOf: items.anyOf ?? items.oneOf });
      if (choices === undefined) return undefined;
      return { kind: "choices", ...base, options: choices, ...given({ minItems, maxItems }) };
    }
    default:
      return undefined;
  }
}

interface Option {
  readonly value: string;
  readonly title: string;
}

function optionsOf({
  enum: values,
  enumNames = [],
  oneOf,
}: Pick<Property, "enum" | "enumNames" | "oneOf">): Option[] | undefined {
  if (oneOf !== undefined) return oneOf.map(({ const: value, title = value }) => ({ value, title }));
  return values?.map((value, index) => ({ value, title: enumNames[index] ?? value }));
}

type Given<Values> = { readonly [Key in keyof Values]?: Exclude<Values[Key], undefined> };

function given<Values extends object>(values: Values): Given<Values>;
function given(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

const defaultSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

function withDefault(field: QuestionField, value: unknown): QuestionField {
  const { data } = defaultSchema.safeParse(value);
  if (data === undefined || valueProblem(field, data) !== undefined) return field;
  if (field.kind === "number") return typeof data === "number" ? { ...field, default: data } : field;
  if (field.kind === "boolean") return typeof data === "boolean" ? { ...field, default: data } : field;
  if (field.kind === "choices") return Array.isArray(data) ? { ...field, default: data } : field;
  return typeof data === "string" ? { ...field, default: data } : field;
}
