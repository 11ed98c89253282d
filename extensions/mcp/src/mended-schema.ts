import { isObject } from "@incipit/schema";
import type { JsonValue } from "@incipit/kernel";

/** Keywords whose value is data, where null is meaningful. */
const dataKeywords = new Set(["const", "default", "enum", "example", "examples"]);

/** Keywords with schemas, or lists of names, by name; PHP serializes an empty one as a list. */
const nameKeywords = new Set(
  "$defs definitions dependencies dependentRequired dependentSchemas patternProperties properties".split(" "),
);

const types = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

/**
 * Removes null keywords and unknown types, replaces empty lists with objects, and adds missing types. Other errors
 * stay.
 */
export function mendedInputSchema(given: JsonValue | undefined): JsonValue {
  if (given === undefined || given === null || (Array.isArray(given) && given.length === 0))
    return { type: "object" };
  const schema = mendedSchema(given);
  if (!isObject(schema) || schema["type"] !== undefined) return schema;
  return { type: "object", ...schema };
}

function mendedSchema(given: JsonValue): JsonValue {
  if (!isObject(given)) return given;
  const mended = Object.entries(given).flatMap(([keyword, value]): readonly (readonly [string, JsonValue])[] => {
    if (dataKeywords.has(keyword)) return keyword === "enum" && value === null ? [] : [[keyword, value]];
    if (value === null) return [];
    if (keyword === "type") return mendedType(value);
    if (nameKeywords.has(keyword)) return [[keyword, mendedNames(value)]];
    if (keyword === "required" && isObject(value) && Object.keys(value).length === 0) return [];
    if (Array.isArray(value)) return [[keyword, value.map((one: JsonValue) => mendedSchema(one))]];
    return [[keyword, mendedSchema(value)]];
  });
  return Object.fromEntries(mended);
}

function mendedType(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  const named = (Array.isArray(value) ? value : [value]).flatMap((one) => {
    const name = typeof one === "string" ? one.toLowerCase() : "";
    return types.has(name) ? [name] : [];
  });
  const [first, ...others] = new Set(named);
  if (first === undefined) return [];
  return [["type", Array.isArray(value) ? [first, ...others] : first]];
}

function mendedNames(value: JsonValue): JsonValue {
  if (Array.isArray(value) && value.length === 0) return {};
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [name, schema === null ? {} : mendedSchema(schema)]),
  );
}
