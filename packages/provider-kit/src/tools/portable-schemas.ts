import type { ToolDefinition } from "@incipit/schema";

export type PlainSchema = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const maxPatternLength = 2_000;
/** Anthropic: "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'" */
const keyPattern = /^[a-zA-Z0-9_.-]{1,64}$/;
/** https://json-schema.org/draft/2020-12/meta/core */
const anchorPattern = /^[A-Za-z_][-A-Za-z0-9._]*$/;
/** "Non-empty fragments not allowed." (same page) */
const idPattern = /^[^#]*#?$/;

const isText: Check = (value) => typeof value === "string";
const isId: Check = (value) => typeof value === "string" && idPattern.test(value);
const isAnchor: Check = (value) => typeof value === "string" && anchorPattern.test(value);
const isYesOrNo: Check = (value) => typeof value === "boolean";
const isNumber: Check = (value) => typeof value === "number";
const isCount: Check = (value) => typeof value === "number" && Number.isInteger(value) && value >= 0;
const isSchema: Check = (value) => isYesOrNo(value) || isObject(value);
const isSchemas: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isNamedSchemas: Check = (value) => isObject(value) && Object.values(value).every(isSchema);
const isTexts: Check = (value) =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isType: Check = (value) =>
  isTypeName(value) || (isTexts(value) && Array.isArray(value) && value.length > 0 && value.every(isTypeName));

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

function isObject(value: unknown): value is PlainSchema {
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

const holding = new Map<string, Check>([
  ...["additionalProperties", "contains", "contentSchema", "else", "if", "items", "not"].map(
    (key) => [key, isSchema] as const,
  ),
  ...["propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"].map((key) => [key, isSchema] as const),
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
  ["multipleOf", (value) => typeof value === "number" && value > 0],
  ["dependentRequired", (value) => isObject(value) && Object.values(value).every(isTexts)],
  [
    "dependencies",
    (value) => isObject(value) && Object.values(value).every((one) => isSchema(one) || isTexts(one)),
  ],
  ["$vocabulary", (value) => isObject(value) && Object.values(value).every(isYesOrNo)],
  ["$id", isId],
  ...["$anchor", "$dynamicAnchor", "$recursiveAnchor"].map((key) => [key, isAnchor] as const),
  ...["$comment", "$dynamicRef", "$recursiveRef", "$ref", "$schema"].map((key) => [key, isText] as const),
  ...["contentEncoding", "contentMediaType", "description", "format", "title"].map((key) => [key, isText] as const),
  ...["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"].map((key) => [key, isNumber] as const),
  ...["maxContains", "maxItems", "maxLength", "maxProperties"].map((key) => [key, isCount] as const),
  ...["minContains", "minItems", "minLength", "minProperties"].map((key) => [key, isCount] as const),
  ...["deprecated", "readOnly", "uniqueItems", "writeOnly"].map((key) => [key, isYesOrNo] as const),
]);

/**
 * Returns a tool's schema with all nested ones if they are valid JSON Schema draft 2020-12 with plain property names
 * and an object at the top, which all vendors accept. Otherwise `undefined`, such as for an older draft with a boolean
 * `exclusiveMinimum`.
 */
export function plainSchemas({
  inputSchema,
}: Pick<ToolDefinition, "inputSchema">): readonly PlainSchema[] | undefined {
  if (inputSchema["type"] !== "object") return undefined;
  const schemas: PlainSchema[] = [];
  const waiting: unknown[] = [inputSchema];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (!isObject(schema)) continue;
    schemas.push(schema);
    for (const [key, value] of Object.entries(schema)) {
      if (checks.get(key)?.(value) === false) return undefined;
      if (key === "properties" && isObject(value) && !Object.keys(value).every((name) => keyPattern.test(name)))
        return undefined;
      if (key === "patternProperties" && isObject(value) && !Object.keys(value).every(isPattern)) return undefined;
      const held = holding.get(key);
      if (key === "dependencies" && isObject(value)) waiting.push(...Object.values(value).filter(isSchema));
      else if (held === isNamedSchemas && isObject(value)) waiting.push(...Object.values(value));
      else if (Array.isArray(value) && held === isSchemas) waiting.push(...value);
      else if (held === isSchema) waiting.push(value);
    }
  }
  return schemas;
}

/**
 * Anthropic's API, directly or through a gateway: "input_schema.properties: Property keys should match pattern
 * '^[a-zA-Z0-9_.-]{1,64}$'". Renaming is no option: calls of the model could not be mapped back.
 */
export function refusedProperty({ inputSchema }: Pick<ToolDefinition, "inputSchema">): string | undefined {
  const { properties } = inputSchema;
  const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const refused = names.find((name) => !keyPattern.test(name));
  return refused === undefined
    ? undefined
    : `its parameter "${refused}" has a name that the model's vendor refuses: letters, digits, "_", "." and "-" are accepted`;
}
