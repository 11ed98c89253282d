const mayBeSuspect = ["__proto__", "constructor", "\\u00"] as const;
const keyPattern = (key: string): RegExp => {
  const letters = Array.from(key, (letter) => `(?:${letter}|\\\\u00${letter.charCodeAt(0).toString(16)})`);
  return new RegExp(`"${letters.join("")}"\\s*:`, "i");
};
const suspects = [keyPattern("__proto__"), keyPattern("constructor")];

/**
 * For untrusted JSON of a vendor.
 *
 * @throws {SyntaxError} for invalid JSON, and for prototype pollution.
 */
export function secureJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!mayBeSuspect.some((part) => text.includes(part)) || !suspects.some((name) => name.test(text))) return value;
  for (let level: readonly unknown[] = [value]; level.length > 0; level = level.flatMap(innerOf))
    if (level.some(isForbidden)) throw new SyntaxError("Object contains forbidden prototype property");
  return value;
}

function innerOf(value: unknown): readonly unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

function isForbidden(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Object.hasOwn(value, "__proto__")) return true;
  const made: unknown = Object.hasOwn(value, "constructor") ? value.constructor : undefined;
  return typeof made === "object" && made !== null && Object.hasOwn(made, "prototype");
}
