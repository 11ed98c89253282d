import type * as z from "zod";

/** Those that hold others, and so are worth it; one of another kind would have no JSON Schema. */
type Composed = z.ZodObject | z.ZodUnion | z.ZodArray | z.ZodRecord;

const makers = new WeakMap<object, () => Composed>();

/** What stands behind each schema that is not made yet: whatever is looked for in it makes it. */
const unmade: object = new Proxy(
  {},
  {
    get: (_, key, schema: object) => Reflect.get(made(schema), key, schema),
    has: (_, key) => key === "_zod",
  },
);

function made(schema: object): object {
  const real = makers.get(schema)?.() ?? schema;
  makers.delete(schema);
  Object.setPrototypeOf(schema, real);
  return real;
}

/**
 * The schema that `make` gives, made when it is first used: a host has hundreds, and needs few of them until it is ready.
 *
 * It is used as any other one; from the first use on it is what `make` gave. To take it into an object, an array or a union
 * is no use of it. `extend`, `shape`, `z.record` and a discriminated union are, so these belong into a lazy one, too. What
 * `make` throws is thrown by each use.
 *
 * Not `z.lazy`, which is a schema of its own kind, without a shape: docs/decisions/2026-11-23-lazy-schemas.md.
 */
export function lazySchema<Schema extends Composed>(make: () => Schema): Schema {
  const schema: Schema = Object.create(unmade);
  makers.set(schema, make);
  return schema;
}
