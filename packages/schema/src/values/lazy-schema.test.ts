import { expect, test } from "bun:test";
import * as z from "zod";
import { lazySchema } from "./lazy-schema.ts";

/** A lazy schema and the number of its constructions. */
function counted<Schema extends z.ZodObject | z.ZodUnion>(
  make: () => Schema,
): { readonly schema: Schema; readonly count: () => number } {
  let count = 0;
  const schema = lazySchema(() => {
    count += 1;
    return make();
  });
  return { schema, count: () => count };
}

test("lazySchema constructs the schema once, at its first use", () => {
  const { schema, count } = counted(() => z.object({ name: z.string() }));

  expect(count()).toBe(0);
  expect(schema.parse({ name: "a", more: 1 })).toEqual({ name: "a" });
  expect(schema.safeParse({ name: 1 }).error?.issues).toMatchObject([{ path: ["name"], code: "invalid_type" }]);
  expect(count()).toBe(1);
});

test("lazySchema nested in another schema is constructed only when that one parses", () => {
  const inner = counted(() => z.object({ name: z.string() }));
  const outer = z.strictObject({
    one: inner.schema,
    many: z.array(inner.schema),
    either: z.union([z.string(), inner.schema]),
    none: z.nullable(inner.schema),
  });
  expect(inner.count()).toBe(0);

  const value = { one: { name: "a" }, many: [{ name: "b" }], either: { name: "c" }, none: null };
  expect(outer.parse(value)).toEqual(value);
  expect(outer.safeParse({ ...value, many: [{}] }).error?.issues).toMatchObject([{ path: ["many", 0, "name"] }]);
  expect(inner.count()).toBe(1);
});

test("lazySchema supports extend, JSON Schema and instanceof", () => {
  const make = (): z.ZodObject => z.object({ name: z.string().min(1), at: z.int().exactOptional() });
  const one = (): z.ZodObject => lazySchema(make);

  expect(z.toJSONSchema(one())).toEqual(z.toJSONSchema(make()));
  expect(z.toJSONSchema(z.array(one().nullable()))).toEqual(z.toJSONSchema(z.array(make().nullable())));
  expect(z.toJSONSchema(one().extend({ more: one() }))).toEqual(z.toJSONSchema(make().extend({ more: make() })));
  expect(Object.keys(one().shape)).toEqual(["name", "at"]);
  expect(one() instanceof z.ZodObject).toBe(true);
  expect(one() instanceof z.ZodUnion).toBe(false);
  expect(one().optional().parse(undefined)).toBe(undefined);
});

test("lazySchema works as an option of a discriminated union, and as the union", () => {
  const cases = [z.object({ type: z.literal("a"), a: z.int() }), z.object({ type: z.literal("b") })] as const;
  const [a, b] = [lazySchema(() => cases[0]), lazySchema(() => cases[1])];
  const schema = lazySchema(() => z.discriminatedUnion("type", [a, b]));

  expect(z.array(schema).parse([{ type: "b" }, { type: "a", a: 1 }])).toEqual([{ type: "b" }, { type: "a", a: 1 }]);
  expect(schema.safeParse({ type: "c" }).success).toBe(false);
});

test("lazySchema rethrows the error of its factory at each use", () => {
  const schema = lazySchema((): z.ZodObject => {
    throw new Error("no schema");
  });

  expect(() => schema.parse({})).toThrow("no schema");
  expect(() => schema.parse({})).toThrow("no schema");
});
