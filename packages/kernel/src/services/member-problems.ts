import type { MemberKind } from "../contract/handle.ts";

/** Such as `"get" is missing, and must be a function`. */
export function memberProblems(
  value: unknown,
  members: Readonly<Record<string, MemberKind>> = {},
): readonly string[] {
  return Object.entries(members).flatMap(([name, kind]) => problemOf(value, name, kind) ?? []);
}

function problemOf(value: unknown, name: string, kind: MemberKind): string | undefined {
  const isOptional = kind.endsWith("?");
  const wanted = isOptional ? kind.slice(0, -1) : kind;
  if (wanted === "any") return undefined;
  let found: string;
  try {
    found = kindOf(Reflect.get(Object(value), name));
  } catch {
    found = "broken"; // Its getter throws.
  }
  if (found === wanted || (isOptional && found === "missing")) return undefined;
  return `"${name}" is ${found === "missing" || found === "broken" ? found : `a ${found}`}, and must be a ${wanted}`;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  return Array.isArray(value) ? "list" : typeof value;
}
