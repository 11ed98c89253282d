import { isJsonObject, parseRequestJson } from "../wire/request-json.ts";
import { responsesRequestSchema } from "./openai-responses-request.ts";

/** The body of OpenAI's answer to a tool whose schema it does not take. */
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

/**
 * Why the vendor refuses a tool that a request adds behind its outputs, in its own words; `undefined`: it takes them all. What
 * these words are is seen in reports of its users, and in none of its pages.
 *
 * The tools at the start of a request are not looked at: the host sends those as whoever made them wrote them.
 */
export function addedToolRefusal(body: string): SchemaRefusal | undefined {
  const { data } = responsesRequestSchema.safeParse(parseRequestJson(body)?.value);
  if (data === undefined || typeof data.input === "string") return undefined;
  for (const [index, item] of data.input.entries()) {
    if (item.type !== "additional_tools") continue;
    for (const [place, { name, parameters }] of item.tools.entries()) {
      const problem = topProblem(parameters) ?? schemaProblem(parameters, []);
      if (problem === undefined) continue;
      const message = `Invalid schema for function '${name}': ${problem}`;
      const param = `input[${index}].tools[${place}].parameters`;
      return { error: { message, type: "invalid_request_error", param, code: "invalid_function_parameters" } };
    }
  }
  return undefined;
}

function topProblem(schema: object): string | undefined {
  return notAtTop.some((key) => key in schema)
    ? "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
    : undefined;
}

function schemaProblem(value: unknown, context: readonly string[]): string | undefined {
  if (typeof value === "boolean") return undefined;
  if (!isObject(value)) return `${said(value)} is not of type 'object', 'boolean'.`;
  return keywordProblem(value) ?? contentProblem(value, context) ?? heldProblem(value, context);
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

function contentProblem(schema: Readonly<Record<string, unknown>>, context: readonly string[]): string | undefined {
  const types = typesOf(schema);
  if (types.includes("object") && !("properties" in schema))
    return `In context=${tuple(context)}, object schema missing properties.`;
  return types.includes("array") && !("items" in schema)
    ? `In context=${tuple(context)}, array schema missing items.`
    : undefined;
}

function heldProblem(schema: Readonly<Record<string, unknown>>, context: readonly string[]): string | undefined {
  const held: (readonly [unknown, readonly string[]])[] = [];
  for (const key of ["items", "additionalProperties", "not"])
    if (key in schema) held.push([schema[key], [...context, key]]);
  for (const key of ["properties", "$defs", "definitions", "anyOf", "oneOf", "allOf"])
    for (const [name, inner] of Object.entries(schema[key] ?? {})) held.push([inner, [...context, key, name]]);
  for (const [inner, place] of held) {
    const problem = schemaProblem(inner, place);
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

/** As Python writes it, of which the vendor's words are. */
function tuple(context: readonly string[]): string {
  return `(${context.map((name) => `'${name}'`).join(", ")}${context.length === 1 ? "," : ""})`;
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
