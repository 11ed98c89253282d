import * as z from "zod";
import { isJsonObject, parseRequestJson } from "../wire/request-json.ts";

export interface SchemaRefusal {
  readonly error: {
    readonly message: string;
    readonly type: "invalid_request_error";
    readonly param: string;
    readonly code: "invalid_function_parameters";
  };
}

const notAtTop = ["oneOf", "anyOf", "allOf", "enum", "not"] as const;
const typeNames: ReadonlySet<unknown> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
]);
const numbers = ["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"] as const;
const counts = ["maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties"] as const;

interface PlacedTool {
  readonly name: string;
  readonly schema: unknown;
  readonly param: string;
  /** After outputs instead of at the start. */
  readonly isAdded: boolean;
}

const namedSchema = z.looseObject({ name: z.string(), parameters: z.unknown().optional() });
const chatSchema = z.looseObject({
  tools: z.array(z.looseObject({ function: namedSchema })).default([]),
});
const responsesSchema = z.looseObject({
  tools: z.array(namedSchema).default([]),
  input: z.unknown().optional(),
});
const itemsSchema = z.array(z.looseObject({ type: z.string().optional(), tools: z.unknown().optional() }));

/**
 * `undefined` when all schemas are valid. The messages are known from user reports only. An object schema without
 * `properties` is rejected at the top level. Nested ones are reported to be accepted, except in tools added after
 * outputs, for which there is no report: here they are rejected.
 */
export function responsesToolRefusal(body: string): SchemaRefusal | undefined {
  const { data } = responsesSchema.safeParse(parseRequestJson(body)?.value);
  if (data === undefined) return undefined;
  const items = itemsSchema.safeParse(data.input).data ?? [];
  const own = data.tools.map((tool, index) =>
    placed(tool, { param: `tools[${index}].parameters`, isAdded: false }),
  );
  const added = items.flatMap(({ type, tools }, index) => {
    const named = z.array(namedSchema).safeParse(type === "additional_tools" ? tools : []).data ?? [];
    return named.map((tool, place) =>
      placed(tool, { param: `input[${index}].tools[${place}].parameters`, isAdded: true }),
    );
  });
  return refusalOf([...own, ...added]);
}

/** Returns the refusal of OpenAI's own chat completions; other servers are more lenient. */
export function chatToolRefusal(body: string): SchemaRefusal | undefined {
  const { data } = chatSchema.safeParse(parseRequestJson(body)?.value);
  return refusalOf(
    (data?.tools ?? []).map((tool, index) =>
      placed(tool.function, { param: `tools[${index}].function.parameters`, isAdded: false }),
    ),
  );
}

function placed(
  { name, parameters }: z.infer<typeof namedSchema>,
  place: Pick<PlacedTool, "param" | "isAdded">,
): PlacedTool {
  return { name, schema: parameters, ...place };
}

function refusalOf(tools: readonly PlacedTool[]): SchemaRefusal | undefined {
  for (const { name, schema, param, isAdded } of tools) {
    if (schema === undefined) continue;
    const problem = topProblem(schema) ?? schemaProblem(schema, { context: [], isAdded });
    if (problem === undefined) continue;
    const message = `Invalid schema for function '${name}': ${problem}`;
    return { error: { message, type: "invalid_request_error", param, code: "invalid_function_parameters" } };
  }
  return undefined;
}

interface Place {
  readonly context: readonly string[];
  readonly isAdded: boolean;
}

function topProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  if (schema["type"] !== "object")
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${text(schema["type"])}"'.`;
  return notAtTop.some((key) => key in schema)
    ? "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
    : undefined;
}

function schemaProblem(value: unknown, place: Place): string | undefined {
  if (typeof value === "boolean") return undefined;
  if (!isObject(value)) return `${said(value)} is not of type 'object', 'boolean'.`;
  return keywordProblem(value) ?? contentProblem(value, place) ?? heldProblem(value, place);
}

function keywordProblem(schema: Readonly<Record<string, unknown>>): string | undefined {
  const types = typesOf(schema);
  if ("type" in schema && (types.length === 0 || !types.every((type) => typeNames.has(type))))
    return `${said(schema["type"])} is not valid under any of the given schemas.`;
  if ("enum" in schema && !Array.isArray(schema["enum"])) return `${said(schema["enum"])} is not of type 'array'.`;
  if ("properties" in schema && !isObject(schema["properties"]))
    return `${said(schema["properties"])} is not of type 'object'.`;
  const number = numbers.find((key) => key in schema && typeof schema[key] !== "number");
  if (number !== undefined) return `${said(schema[number])} is not of type 'number'.`;
  const count = counts.find((key) => key in schema && !Number.isInteger(schema[key]));
  return count === undefined ? undefined : `${said(schema[count])} is not of type 'integer'.`;
}

function contentProblem(
  schema: Readonly<Record<string, unknown>>,
  { context, isAdded }: Place,
): string | undefined {
  const types = typesOf(schema);
  if (types.includes("object") && !("properties" in schema) && (isAdded || context.length === 0))
    return `In context=${tuple(context)}, object schema missing properties.`;
  return types.includes("array") && !("items" in schema)
    ? `In context=${tuple(context)}, array schema missing items.`
    : undefined;
}

function heldProblem(schema: Readonly<Record<string, unknown>>, { context, isAdded }: Place): string | undefined {
  const held: (readonly [unknown, readonly string[]])[] = [];
  for (const key of ["items", "additionalProperties", "not"])
    if (key in schema) held.push([schema[key], [...context, key]]);
  for (const key of ["properties", "$defs", "definitions", "anyOf", "oneOf", "allOf"])
    for (const [name, inner] of Object.entries(schema[key] ?? {})) held.push([inner, [...context, key, name]]);
  for (const [inner, inside] of held) {
    const problem = schemaProblem(inner, { context: inside, isAdded });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function typesOf({ type }: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (type === undefined) return [];
  return Array.isArray(type) ? type : [type];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value);
}

/** Python's syntax, like the vendor's messages. */
function tuple(context: readonly string[]): string {
  return `(${context.map((name) => `'${name}'`).join(", ")}${context.length === 1 ? "," : ""})`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : said(value);
}

function said(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(said).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `'${key}': ${said(inner)}`)
    .join(", ")}}`;
}
