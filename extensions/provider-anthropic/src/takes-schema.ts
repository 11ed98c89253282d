import type { ToolDefinition } from "@incipit/schema";

type Check = (value: unknown) => boolean;

const maxPatternLength = 2_000;
/** "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'" */
const keyPattern = /^[a-zA-Z0-9_.-]{1,64}$/;
/** "input_schema does not support oneOf, allOf, or anyOf at the top level" */
const notAtTop = ["oneOf", "allOf", "anyOf"] as const;

const isText: Check = (value) => typeof value === "string";
const isYesOrNo: Check = (value) => typeof value === "boolean";
const isNumber: Check = (value) => typeof value === "number";
const isCount: Check = (value) => typeof value === "number" && Number.isInteger(value) && value >= 0;
const isSchema: Check = (value) => isYesOrNo(value) || isObject(value);
const isSchemas: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isNamedSchemas: Check = (value) => isObject(value) && Object.values(value).every(isSchema);
const isTexts: Check = (value) =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isType: Check = (value) =>
  isTypeName(value) || (isTexts(value) && Array.isArray(value) && value.every(isTypeName));

const typeNames: ReadonlySet<unknown> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
]);

function isTypeName(value: unknown): boolean {
  return typeNames.has(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string" || value.length > maxPatternLength) return false;
  try {
    return new RegExp(value, "u").unicode;
  } catch {
    return false;
  }
}

/** Keywords whose values hold other schemas. */
const holding = new Map<string, Check>([
  ...["additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"].map(
    (key) => [key, isSchema] as const,
  ),
  ...["unevaluatedItems", "unevaluatedProperties"].map((key) => [key, isSchema] as const),
  ...["allOf", "anyOf", "oneOf", "prefixItems"].map((key) => [key, isSchemas] as const),
  ...["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"].map(
    (key) => [key, isNamedSchemas] as const,
  ),
]);

const checks = new Map<string, Check>([
  ...holding,
  ["type", isType],
  ["required", isTexts],
  ["enum", Array.isArray],
  ["examples", Array.isArray],
  ["pattern", isPattern],
  ["dependentRequired", (value) => isObject(value) && Object.values(value).every(isTexts)],
  ...["$anchor", "$comment", "$id", "$ref", "$schema", "description", "format", "title"].map(
    (key) => [key, isText] as const,
  ),
  ...["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"].map(
    (key) => [key, isNumber] as const,
  ),
  ...["maxContains", "maxItems", "maxLength", "maxProperties"].map((key) => [key, isCount] as const),
  ...["minContains", "minItems", "minLength", "minProperties"].map((key) => [key, isCount] as const),
  ...["deprecated", "readOnly", "uniqueItems", "writeOnly"].map((key) => [key, isYesOrNo] as const),
]);

/**
 * Whether the API takes a tool's schema. One that it does not take refuses the request with all its tools, and with hundreds of
 * them from strangers there is one soon: such as of an older draft, where `exclusiveMinimum` is a boolean. What is left out here
 * for no reason is only told as a text.
 *
 * "tools.N.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12
 * (https://json-schema.org/draft/2020-12)."
 */
export function takesSchema({ inputSchema }: Pick<ToolDefinition, "inputSchema">): boolean {
  if (notAtTop.some((key) => key in inputSchema)) return false;
  const waiting: unknown[] = [inputSchema];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (!isObject(schema)) continue;
    for (const [key, value] of Object.entries(schema)) {
      if (checks.get(key)?.(value) === false) return false;
      if (key === "properties" && isObject(value) && !Object.keys(value).every((name) => keyPattern.test(name)))
        return false;
      if (key === "patternProperties" && isObject(value) && !Object.keys(value).every(isPattern)) return false;
      const held = holding.get(key);
      if (held === isNamedSchemas && isObject(value)) waiting.push(...Object.values(value));
      else if (Array.isArray(value) && held === isSchemas) waiting.push(...value);
      else if (held === isSchema) waiting.push(value);
    }
  }
  return true;
}
