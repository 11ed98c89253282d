import type { Extension } from "@incipit/kernel";
import * as z from "zod";
import { hostKeys, hostTables, hostView } from "./host-keys.ts";
import type { Origin, originKey } from "./origin.ts";

export type Config = z.output<ReturnType<typeof hostView>> & { readonly [originKey]?: Origin | undefined };
export type ProviderConfig = Config["providers"][string];

/** Entries are served by extensions, chosen by `kind`. */
export const kindsTable = "providers";

const withoutOwner = "extension";

type Shape = z.ZodRawShape;

export class ConfigSchema {
  readonly extensions: readonly Extension[];
  readonly #byId: ReadonlyMap<string, Extension>;
  #merged: z.ZodObject | undefined;
  #view: ReturnType<typeof hostView> | undefined;

  constructor(extensions: readonly Extension[]) {
    this.extensions = extensions;
    this.#byId = new Map(extensions.map((extension) => [extension.manifest.id, extension]));
  }

  /** Returns the keys whose tables are read as a whole, such as `mcp.servers.*`. */
  get whole(): ReadonlySet<string> {
    const ofExtensions = this.extensions.flatMap(({ configuration }) => configuration?.whole ?? []);
    return new Set([`${kindsTable}.*`, "profiles.*", "extensions.settings.*", ...ofExtensions]);
  }

  get merged(): z.ZodObject {
    return (this.#merged ??= z.strictObject(this.#mergedShape()));
  }

  get view(): ReturnType<typeof hostView> {
    return (this.#view ??= hostView());
  }

  get kinds(): readonly string[] {
    return [...this.extensions.flatMap(({ manifest }) => manifest.kinds?.[kindsTable] ?? []), withoutOwner];
  }

  kindShape(kind: string): Shape | undefined {
    if (kind === withoutOwner) return {};
    const owner = this.extensions.find(({ manifest }) => manifest.kinds?.[kindsTable]?.includes(kind));
    return owner === undefined ? undefined : (owner.configuration?.shape.kinds()[kindsTable]?.[kind] ?? {});
  }

  get kindKeys(): readonly string[] {
    return ["kind", ...Object.keys(this.#anyKindShape())];
  }

  /** Returns why a provider key has no effect for other kinds, or `undefined` if no extension gives a reason. */
  elsewhere(key: string): string | undefined {
    return this.extensions.flatMap(({ configuration }) => configuration?.elsewhere?.[key] ?? [])[0];
  }

  get ids(): readonly string[] {
    return [...this.#byId.keys()];
  }

  providersOf(service: string): readonly string[] {
    const providers = this.extensions.filter(({ manifest }) => manifest.provides?.some((id) => id === service));
    return providers.map(({ manifest }) => manifest.id);
  }

  settingsShape(id: string): Shape | undefined {
    const extension = this.#byId.get(id);
    return extension === undefined ? undefined : (extension.configuration?.shape.settings() ?? {});
  }

  knownKeys(path: readonly PropertyKey[]): readonly string[] | undefined {
    const [first, second, third, ...rest] = path.map(String);
    if (first === kindsTable && second !== undefined)
      return keysAt(z.strictObject({ kind: z.string(), ...this.#anyKindShape() }), path.slice(2));
    if (first === "extensions" && second === "settings" && third !== undefined)
      return keysAt(z.strictObject(this.settingsShape(third) ?? {}), rest);
    return keysAt(this.merged, path);
  }

  #anyKindShape(): Shape {
    return Object.fromEntries(this.kinds.flatMap((kind) => Object.entries(this.kindShape(kind) ?? {})));
  }

  #mergedShape(): Shape {
    const shapes = this.extensions.flatMap(({ configuration }) => configuration?.shape ?? []);
    const tables = new Map<string, Shape>();
    for (const one of [hostTables(), ...shapes.map(({ tables: own }) => own())])
      for (const [name, shape] of Object.entries<Shape>(one))
        tables.set(name, joined(tables.get(name) ?? {}, shape, `${name}.`));
    const ofTables = [...tables].map(([name, shape]) => [name, z.strictObject(shape).prefault({})] as const);
    return [Object.fromEntries(ofTables), ...shapes.map(({ keys }) => keys())].reduce<Shape>(
      (all, keys) => joined(all, keys, ""),
      hostKeys(),
    );
  }
}

function joined(one: Shape, other: Shape, prefix: string): Shape {
  const key = Object.keys(other).find((name) => Object.hasOwn(one, name));
  if (key !== undefined) throw new Error(`Two extensions have the key "${prefix}${key}" of the configuration`);
  return { ...one, ...other };
}

function keysAt(start: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] | undefined {
  let schema = start;
  for (const key of path) {
    const table = withoutDefault(schema);
    const inner: z.core.$ZodType | undefined =
      table instanceof z.ZodObject
        ? new Map(Object.entries<z.core.$ZodType>(table.shape)).get(String(key))
        : table instanceof z.ZodRecord
          ? table.valueType
          : undefined;
    if (inner === undefined) return undefined;
    schema = inner;
  }
  const table = withoutDefault(schema);
  return table instanceof z.ZodObject ? Object.keys(table.shape) : undefined;
}

function withoutDefault(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodExactOptional
    ? schema.unwrap()
    : schema;
}
