import type { JsonValue } from "@incipit/kernel";
import type { Redactor } from "@incipit/redaction";

/** A value without the secrets in any text of it; `counts` is told how often which kind was left out. */
export function withoutSecretsDeep(redactor: Redactor, value: JsonValue, counts: Map<string, number>): JsonValue {
  if (typeof value === "string") {
    const left = redactor.leaveOut(value, redactor.find(value));
    for (const [kind, count] of Object.entries(left.counts)) counts.set(kind, (counts.get(kind) ?? 0) + count);
    return left.text;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutSecretsDeep(redactor, item, counts));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutSecretsDeep(redactor, item, counts)]),
  );
}
