import type * as z from "zod";

/** Composite schemas, which are worth deferring; other kinds would have no JSON Schema. */
type Composed = z.ZodObject | z.ZodUnion | z.ZodArray | z.ZodRecord;

const makers = new WeakMap<object, () => Composed>();

/** Prototype of each schema not constructed yet: any property access constructs it. */
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
 * Returns a schema that `make` constructs at first use: a host has hundreds of schemas and needs few of them at
 * startup.
 *
 * It behaves like the result of `make`. Adding it to an object, an array or a union does not construct it;
 * `extend`, `shape`, `z.record` and a discriminated union do, so make those lazy as well. An error of `make` is
 * rethrown by each use.
 *
 * Not `z.lazy`, which is a separate kind of schema without a shape: docs/decisions/2026-11-27-compiled-command.md.
 */
export function lazySchema<Schema extends Composed>(make: () => Schema): Schema {
  const schema: Schema = Object.create(unmade);
  makers.set(schema, make);
  return schema;
}
