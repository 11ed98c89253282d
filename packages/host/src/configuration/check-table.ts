import { suggestion } from "@incipit/common/suggestion";
import type * as z from "zod";
import { valueAt } from "./config-layer.ts";

export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Each reported problem costs a search for its line in the text. */
export const maxProblems = 20;

export interface CheckOptions {
  readonly path?: readonly PropertyKey[];
  readonly describeUnknown: (key: string, path: readonly PropertyKey[]) => string;
}

export type CheckedTable<Value> =
  | { readonly kind: "right"; readonly value: Value }
  | { readonly kind: "wrong"; readonly problems: readonly Problem[] };

/** Messages contain no value that could be a secret. */
export function checkTable<Value>(
  schema: z.ZodType<Value>,
  table: unknown,
  { path = [], describeUnknown }: CheckOptions,
): CheckedTable<Value> {
  // Tables are parsed once or twice per process; compiling the checks takes longer than that.
  const parsed = schema.safeParse(table, { jitless: true });
  if (parsed.success) return { kind: "right", value: parsed.data };
  const problems = parsed.error.issues
    .slice(0, maxProblems + 1)
    .flatMap((issue) =>
      describe(issue, { table, describeUnknown: (key, inner) => describeUnknown(key, [...path, ...inner]) }).map(
        (problem): Problem => ({ ...problem, path: [...path, ...problem.path] }),
      ),
    );
  return { kind: "wrong", problems };
}

export function unknownKey(key: string, known: readonly string[]): string {
  return `is unknown${suggestion(key, known)}`;
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ["array", "a list"],
  ["int", "a whole number"],
  ["number", "a number"],
  ["object", "a table"],
  ["record", "a table"],
  ["string", "a string"],
]);

function describe(
  issue: z.core.$ZodIssue,
  { table, describeUnknown }: { readonly table: unknown } & Pick<CheckOptions, "describeUnknown">,
): readonly Problem[] {
  const { path } = issue;
  const given = valueAt(table, path);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys
        .slice(0, maxProblems + 1)
        .map((key) => ({ path: [...path, key], message: describeUnknown(key, path) }));
    case "invalid_type": {
      const wanted = issue.message.startsWith("must be ")
        ? issue.message
        : `must be ${typeNames.get(issue.expected) ?? issue.expected}`;
      return [{ path, message: given === undefined ? `is missing; it ${wanted}` : wanted }];
    }
    case "invalid_value": {
      const values = issue.values.map(String);
      if (typeof given === "string") return [{ path, message: `has no such value${suggestion(given, values)}` }];
      const list = values.map((value) => `"${value}"`).join(", ");
      return [{ path, message: `${given === undefined ? "is missing; it " : ""}must be one of ${list}` }];
    }
    case "invalid_key":
      return issue.issues.map(({ message }) => ({ path, message }));
    default:
      return [{ path, message: issue.message }];
  }
}
