/** Returns the fields of an object, or none for other values. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Returns the entries of a list; wraps a single value. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Parses a count or an index, also from a string. */
export function countOf(value: unknown): number | undefined {
  if (typeof value === "string" && /^\d{1,15}$/.test(value)) return Number(value);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
