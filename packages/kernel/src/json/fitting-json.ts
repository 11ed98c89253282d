import { errorMessage } from "../failures/error-message.ts";
import { isTooDeep, parseJson, tooDeepText } from "./json-bounds.ts";
import type { JsonValue } from "./json.ts";
import { schemaSize } from "./schema-size.ts";
import * as z from "zod";

const maxLength = 65_536;

/** With references expanded: each value of an answer may be checked against all parts. */
const maxParts = 2_000;
/** Schema parts times characters of the answer. */
const maxWork = 50_000_000;

type Fit =
  | { readonly kind: "fits"; readonly text: string }
  /** Readable by the model that wrote the answer. */
  | { readonly kind: "wrong"; readonly problem: string };

/** Accepts JSON with or without a Markdown fence. */
export type JsonCheck = (text: string) => Fit;

/**
 * Returns a check for an untrusted JSON Schema.
 *
 * @throws {Error} when the schema is invalid or over a limit.
 */
export function fittingJson(schema: Readonly<Record<string, JsonValue>>): JsonCheck {
  const refuse = (reason: string): never => {
    throw new Error(`Cannot use "schema": ${reason}`);
  };
  if (isTooDeep(schema)) refuse(`it is ${tooDeepText}`);
  if (JSON.stringify(schema).length > maxLength) refuse(`it has more than ${maxLength} characters`);
  // A malicious pattern could block the event loop.
  if (hasPattern(schema))
    refuse('"pattern" and "patternProperties" are not supported; describe the format in "description"');
  const parts = schemaSize(schema, maxParts);
  // Nested alternatives would be tried exponentially often.
  if (parts === "recursive") return refuse("it is recursive; write out the levels you need");
  if (parts > maxParts) return refuse(`it has more than ${maxParts} parts, including references`);
  let parser: z.ZodType;
  try {
    parser = z.fromJSONSchema(schema);
  } catch (error) {
    return refuse(errorMessage(error));
  }
  return (text) => {
    const json = withoutFence(text);
    if (json.length * parts > maxWork)
      return { kind: "wrong", problem: `it has ${json.length} characters, too many to check; answer with less` };
    try {
      const value: unknown = parseJson(json);
      const { error } = parser.safeParse(value);
      return error === undefined ? { kind: "fits", text: json } : { kind: "wrong", problem: wordsOf(error) };
    } catch (error) {
      return { kind: "wrong", problem: `it is not JSON: ${errorMessage(error)}` };
    }
  };
}

function hasPattern(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasPattern);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) =>
      (key === "pattern" && typeof inner === "string") || key === "patternProperties" || hasPattern(inner ?? null),
  );
}

function withoutFence(text: string): string {
  const [, inside = text] = /^\s*```(?:json)?[^\S\n]*\n([\s\S]*)\n\s*```\s*$/.exec(text) ?? [];
  return inside.trim();
}

function wordsOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, 10)
    .map(
      ({ path, message }) => `${path.length === 0 ? "the value" : `"${path.map(String).join(".")}"`}: ${message}`,
    )
    .join("; ");
}
