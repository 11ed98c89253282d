import { nearestWord, suggestion } from "@incipit/common/suggestion";
import { storageDriverHandle } from "@incipit/kernel";
import * as z from "zod";
import type { AddedExtensions } from "./added-extensions.ts";
import { checkTable, unknownKey, type CheckedTable, type Problem } from "./check-table.ts";
import { kindsTable, type ConfigSchema, type ProviderConfig } from "./config-schema.ts";

interface KindOptions {
  readonly schema: ConfigSchema;
  readonly added: () => AddedExtensions;
}

/** Checks an entry by its kind; entries of added extensions are validated later, by their code. */
export function checkEntry(
  name: string,
  entry: unknown,
  { schema, added }: KindOptions,
): CheckedTable<ProviderConfig> {
  const path = [kindsTable, name];
  const kind = z.object({ kind: z.string() }).safeParse(entry).data?.kind;
  const shape = kind === undefined ? undefined : schema.kindShape(kind);
  if (kind !== undefined && shape !== undefined)
    return checkTable(z.strictObject({ kind: z.literal(kind), ...shape }), entry, {
      path,
      describeUnknown: (key, inner) =>
        secretKey(key, name) ?? unknownKeyOfKind(key, { kind, shape, path: inner, schema }),
    });
  const others = kind === undefined ? undefined : added();
  const any = z.looseObject({ kind: z.string() });
  const describeUnknown = (key: string): string => secretKey(key, name) ?? unknownKey(key, schema.kindKeys);
  if (kind !== undefined && others !== undefined && (others.isIncomplete || others.kinds.includes(kind)))
    return checkTable(any, entry, { path, describeUnknown });
  const known = z.enum([...schema.kinds, ...(others?.kinds ?? [])]);
  return checkTable(any.extend({ kind: known }), entry, { path, describeUnknown });
}

function secretKey(key: string, provider: string): string | undefined {
  if (!/^(?:api_?)?(?:key|token|secret|password)$/i.test(key.replaceAll("-", "_"))) return undefined;
  const name = provider
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/^[^A-Z]+/, "");
  const variable = name === "" ? "API_KEY" : `${name}_API_KEY`;
  return `would keep the key itself in this file, where backups, commits and other programs find it; put the key into a variable (export ${variable}=…), name that here (api_key_env = "${variable}"), and take this line out. If others could read the file, make a new key`;
}

interface UnknownOfKind extends Pick<KindOptions, "schema"> {
  readonly kind: string;
  readonly shape: z.ZodRawShape;
  readonly path: readonly PropertyKey[];
}

function unknownKeyOfKind(key: string, { kind, shape, path, schema }: UnknownOfKind): string {
  if (path.length > 2 || !schema.kindKeys.includes(key)) return unknownKey(key, schema.knownKeys(path) ?? []);
  const reason = Object.keys(shape).length === 0 ? undefined : schema.elsewhere(key);
  return `does nothing for the kind "${kind}"${reason === undefined ? "" : `, ${reason}`}; take it out`;
}

export function settingsProblems(
  id: string,
  settings: unknown,
  { schema, added }: KindOptions,
): readonly Problem[] {
  const path = ["extensions", "settings", id];
  const shape = schema.settingsShape(id);
  if (shape !== undefined) {
    const checked = checkTable(z.strictObject(shape), settings, {
      path,
      describeUnknown: (key, inner) => unknownKey(key, schema.knownKeys(inner) ?? []),
    });
    return checked.kind === "right" ? [] : checked.problems;
  }
  const { ids, isIncomplete } = added();
  if (isIncomplete || ids.includes(id)) return [];
  return [{ path, message: unknownExtension(id, [...schema.ids, ...ids], "is unknown") }];
}

/** Before an extension was first added, the host knows only its folder: suggests `extensions.paths`. */
function unknownExtension(id: string, known: readonly string[], problem: string): string {
  const message = `${problem}${suggestion(id, known)}`;
  if (nearestWord(id, known) !== undefined) return message;
  return `${message}; name the folder of one that was never added in "extensions.paths"`;
}

export function driverProblems(id: string, { schema, added }: KindOptions): readonly Problem[] {
  const path = ["storage", "use"];
  const drivers = schema.providersOf(storageDriverHandle.id);
  if (drivers.includes(id)) return [];
  if (schema.ids.includes(id))
    return [{ path, message: `is "${id}", which is not a storage driver${suggestion(id, drivers)}` }];
  const { ids, isIncomplete } = added();
  if (isIncomplete || ids.includes(id)) return [];
  const problem = `is "${id}", and no extension has this id`;
  return [{ path, message: unknownExtension(id, [...drivers, ...ids], problem) }];
}
