export type PlainObject = Readonly<Record<string, unknown>>;

/** Returns the members of an object; `undefined` for every other value, a list among them. */
export function plainObject(value: unknown): PlainObject | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  return Object.fromEntries(members);
}

/** Returns the object without members that are null: programs write those for what is absent. */
export function withoutNulls(value: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined));
}

/** Returns the text; `undefined` for every other value. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
