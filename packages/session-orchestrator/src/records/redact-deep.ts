import type { JsonValue } from "@incipit/kernel";
import type { Redactor } from "@incipit/redaction";

export function redactDeep(redactor: Redactor, value: JsonValue, counts: Map<string, number>): JsonValue {
  const without = (text: string): string => {
    const left = redactor.leaveOut(text, redactor.find(text));
    for (const [kind, count] of Object.entries(left.counts)) counts.set(kind, (counts.get(kind) ?? 0) + count);
    return left.text;
  };
  if (typeof value === "string") return without(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactDeep(redactor, item, counts));
  const left = new Map<string, JsonValue>();
  for (const [key, item] of Object.entries(value)) {
    const name = without(key);
    let free = name;
    for (let count = 2; free !== key && left.has(free); count += 1) free = `${name}-${count}`;
    left.set(free, redactDeep(redactor, item, counts));
  }
  return Object.fromEntries(left);
}
