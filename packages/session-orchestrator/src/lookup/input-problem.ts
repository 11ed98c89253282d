import { shorten } from "@incipit/common";
import { isObject } from "@incipit/schema";
import * as z from "zod";

/** Subschemas may be recursive. The server validates the rest. */
const maxLooks = 20_000;
const maxDepth = 100;

const typeNames = z.union([z.string(), z.array(z.string())]);
const schemaSchema = z.looseObject({
  type: typeNames.optional().catch(undefined),
  enum: z.array(z.unknown()).optional().catch(undefined),
  properties: z.record(z.string(), z.unknown()).optional().catch(undefined),
  required: z.array(z.string()).optional().catch(undefined),
  additionalProperties: z.unknown().optional(),
  patternProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional().catch(undefined),
  oneOf: z.array(z.unknown()).optional().catch(undefined),
  allOf: z.array(z.unknown()).optional().catch(undefined),
  minimum: z.number().optional().catch(undefined),
  maximum: z.number().optional().catch(undefined),
  minLength: z.number().optional().catch(undefined),
  maxLength: z.number().optional().catch(undefined),
  minItems: z.number().optional().catch(undefined),
  maxItems: z.number().optional().catch(undefined),
  $ref: z.string().optional().catch(undefined),
});
type Schema = z.infer<typeof schemaSchema>;

/**
 * The schema is untrusted: it is not compiled, patterns are not run, and unsupported keywords are left to the server.
 *
 * @param options.isLenient Accepts `null` for an absent property, a number or boolean as a string, a single value for
 * a list of one, as many servers do.
 */
export function inputProblem(
  input: unknown,
  schema: unknown,
  { isLenient = false }: { readonly isLenient?: boolean } = {},
): string | undefined {
  return new Check(schema, isLenient).problem(input, schema, { path: "", depth: 0 });
}

interface Place {
  /** For example `.filter.tags[0]`; empty for the arguments themselves. */
  readonly path: string;
  readonly depth: number;
}

class Check {
  readonly #root: unknown;
  readonly #isLenient: boolean;
  #looks = 0;

  constructor(root: unknown, isLenient: boolean) {
    this.#root = root;
    this.#isLenient = isLenient;
  }

  problem(given: unknown, schema: unknown, place: Place): string | undefined {
    const strict = this.#problem(given, schema, place);
    const others = strict === undefined || !this.#isLenient ? [] : readings(given, schema);
    return others.some((other) => this.#problem(other, schema, place) === undefined) ? undefined : strict;
  }

  #problem(value: unknown, given: unknown, place: Place): string | undefined {
    this.#looks += 1;
    if (this.#looks > maxLooks || place.depth > maxDepth) return undefined;
    if (given === false) return `${nameOf(place)} must not be there`;
    const schema = schemaSchema.safeParse(given).data;
    if (schema === undefined) return undefined;
    return (
      ownProblem(value, schema, place) ??
      this.#referredProblem(value, schema, place) ??
      this.#innerProblem(value, schema, place) ??
      this.#choiceProblem(value, schema, place)
    );
  }

  #referredProblem(value: unknown, { $ref: reference }: Schema, place: Place): string | undefined {
    if (reference === undefined || !reference.startsWith("#")) return undefined;
    return this.problem(value, this.#at(reference), deeper(place));
  }

  #innerProblem(value: unknown, schema: Schema, place: Place): string | undefined {
    const inner = Array.isArray(value)
      ? value.map((item: unknown, index) => [item, schema.items, `${place.path}[${index}]`] as const)
      : isObject(value)
        ? Object.entries(value).map(
            ([key, item]) => [item, propertyOf(schema, key), `${place.path}${keyPath(key)}`] as const,
          )
        : [];
    for (const [item, itemSchema, path] of inner) {
      const problem = this.problem(item, itemSchema, { path, depth: place.depth + 1 });
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #choiceProblem(value: unknown, { allOf = [], anyOf, oneOf }: Schema, place: Place): string | undefined {
    for (const schema of allOf) {
      const problem = this.problem(value, schema, deeper(place));
      if (problem !== undefined) return problem;
    }
    for (const choices of [anyOf, oneOf]) {
      if (choices === undefined || choices.length === 0) continue;
      const problems = choices.map((schema) => this.problem(value, schema, deeper(place)));
      if (problems.every((problem) => problem !== undefined))
        return `${nameOf(place)} fits none of its forms: ${problems.slice(0, 3).join("; or ")}`;
    }
    return undefined;
  }

  #at(reference: string): unknown {
    let found: unknown = this.#root;
    for (const part of reference.slice(1).split("/").slice(1)) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
      found = Object.entries(found).find(([name]) => name === key)?.[1];
    }
    return found;
  }
}

function readings(value: unknown, given: unknown): readonly unknown[] {
  const { type: named, required = [] } = schemaSchema.safeParse(given).data ?? {};
  if (isObject(value)) {
    const kept = Object.entries(value).filter(([key, item]) => item !== null || required.includes(key));
    return kept.length < Object.keys(value).length ? [Object.fromEntries(kept)] : [];
  }
  const types = [named ?? []].flat();
  const isText = typeof value === "string";
  return types.flatMap((type): readonly unknown[] => {
    if (
      (type === "number" || type === "integer") &&
      isText &&
      value.trim() !== "" &&
      Number.isFinite(Number(value))
    )
      return [Number(value)];
    if (type === "boolean" && (value === "true" || value === "false")) return [value === "true"];
    if (type === "string" && (typeof value === "number" || typeof value === "boolean")) return [String(value)];
    return type === "array" && !Array.isArray(value) && value !== null ? [[value]] : [];
  });
}

function deeper({ path, depth }: Place): Place {
  return { path, depth: depth + 1 };
}

function ownProblem(value: unknown, schema: Schema, place: Place): string | undefined {
  const { type } = schema;
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((name) => isOfType(value, name)))
    return `${nameOf(place)} must be ${types.map(withArticle).join(" or ")}, and is ${kindOf(value)}`;
  if (schema.enum !== undefined && !schema.enum.some((one) => Bun.deepEquals(one, value)))
    return `${nameOf(place)} must be one of ${listed(schema.enum)}`;
  if (Object.hasOwn(schema, "const") && !Bun.deepEquals(schema["const"], value))
    return `${nameOf(place)} must be ${listed([schema["const"]])}`;
  return sizeProblem(value, schema, place) ?? (isObject(value) ? keyProblem(value, schema, place) : undefined);
}

function sizeProblem(value: unknown, schema: Schema, place: Place): string | undefined {
  if (typeof value === "number") return outside(value, [schema.minimum, schema.maximum], "", place);
  if (typeof value === "string")
    return outside(characterCount(value), [schema.minLength, schema.maxLength], " characters", place);
  return Array.isArray(value)
    ? outside(value.length, [schema.minItems, schema.maxItems], " items", place)
    : undefined;
}

function outside(
  size: number,
  [min, max]: readonly [number | undefined, number | undefined],
  unit: string,
  place: Place,
): string | undefined {
  const verb = unit === "" ? "must be" : "must have";
  if (min !== undefined && size < min) return `${nameOf(place)} ${verb} at least ${min}${unit}`;
  return max !== undefined && size > max ? `${nameOf(place)} ${verb} at most ${max}${unit}` : undefined;
}

function characterCount(text: string): number {
  return text.replaceAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, "_").length;
}

function keyProblem(value: object, schema: Schema, { path }: Place): string | undefined {
  const missing = schema.required?.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return `${nameOf({ path: `${path}${keyPath(missing)}` })} is missing`;
  const { properties = {}, additionalProperties, patternProperties } = schema;
  if (additionalProperties !== false || patternProperties !== undefined) return undefined;
  const odd = Object.keys(value).find((key) => !Object.hasOwn(properties, key));
  if (odd === undefined) return undefined;
  return `${nameOf({ path: `${path}${keyPath(odd)}` })} is not known; there are ${listed(Object.keys(properties))}`;
}

function propertyOf({ properties = {}, additionalProperties, patternProperties }: Schema, key: string): unknown {
  if (Object.hasOwn(properties, key)) return properties[key];
  return patternProperties === undefined && isObject(additionalProperties) ? additionalProperties : undefined;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    default:
      return true;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return withArticle(Array.isArray(value) ? "array" : typeof value);
}

function withArticle(type: string): string {
  if (type === "null") return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

const maxListed = 20;
const maxShownLength = 80;

function listed(values: readonly unknown[]): string {
  if (values.length === 0) return "none";
  const more = values.length > maxListed ? ", …" : "";
  return `${values.slice(0, maxListed).map(shown).join(", ")}${more}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return shorten(text, maxShownLength);
}

function keyPath(key: string): string {
  return /^[A-Za-z_$][\w$-]{0,79}$/.test(key) ? `.${key}` : `[${shown(key)}]`;
}

function nameOf({ path }: Pick<Place, "path">): string {
  return path === "" ? "the input" : `"input${path}"`;
}

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
