export type PlainObject = Readonly<Record<string, unknown>>;

/** `undefined` for other values, including arrays. */
export function plainObject(value: unknown): PlainObject | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  return Object.fromEntries(members);
}

/** Drops null members, which programs write for absent ones. */
export function withoutNulls(value: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined));
}

export function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
