import { isObject } from "@incipit/schema";
import { inputProblem, propertyOf, readings, schemaSchema } from "./input-problem.ts";

/**
 * Corrects common deviations for built-in tools: `null` or "null" for an absent property, a number or boolean as a
 * string or vice versa, a single value for a list of one. Otherwise unchanged, so that errors refer to the model's
 * input.
 */
export function fittedInput(input: object, schema: unknown): object {
  if (inputProblem(input, schema) === undefined) return input;
  const fitted = fit(input, schema);
  const isFitted = typeof fitted === "object" && fitted !== null && inputProblem(fitted, schema) === undefined;
  return isFitted ? fitted : input;
}

function fit(value: unknown, given: unknown): unknown {
  if (inputProblem(value, given) === undefined) return value;
  const schema = schemaSchema.safeParse(given).data;
  if (schema === undefined) return value;
  if (isObject(value)) {
    const { required = [], additionalProperties } = schema;
    const isAbsent = (key: string, item: unknown): boolean =>
      meansAbsent(item) &&
      !required.includes(key) &&
      inputProblem(item, propertyOf(schema, key) ?? additionalProperties) !== undefined;
    const kept = Object.entries(value).filter(([key, item]) => !isAbsent(key, item));
    return Object.fromEntries(kept.map(([key, item]) => [key, fit(item, propertyOf(schema, key))]));
  }
  const [read = value] = readings(value, given);
  return Array.isArray(read) ? read.map((item: unknown) => fit(item, schema.items)) : read;
}

/** Models also write "null", "none", "undefined" or an empty string. */
function meansAbsent(item: unknown): boolean {
  return item === null || (typeof item === "string" && /^\s*(?:null|none|undefined)?\s*$/i.test(item));
}
