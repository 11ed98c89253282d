import * as z from "zod";

export type PlainObject = Readonly<Record<string, unknown>>;

const plainSchema = z.looseObject({});

/** Returns the members of an object; `undefined` for every other value, a list among them. */
export function plainObject(value: unknown): PlainObject | undefined {
  return Array.isArray(value) ? undefined : plainSchema.safeParse(value).data;
}

/** Returns the object without members that are null: servers write those for what is absent. */
export function withoutNulls(value: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined));
}

/** Returns the text; `undefined` for every other value. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
