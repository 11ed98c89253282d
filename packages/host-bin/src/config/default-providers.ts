import { urlKey } from "@incipit/kernel";
import { byDefault, isTable, valueAt, type Override, type Table } from "@incipit/host/configuration";
import { knownVendors, setKeyOf, vendorTable } from "./known-providers.ts";

export interface DefaultProvidersOptions {
  /** Without the configuration of a folder. */
  readonly own: Table;
  readonly folder?: Table | undefined;
  readonly named: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Key by key, for known providers that are not configured: those named by a model in the user's file, a variable or a
 * flag, and without any `[providers.NAME]` those with a key in the environment. A provider named only by a folder gets
 * none: the folder's file has to configure it fully.
 */
export function defaultProviders({ own, folder = {}, named, env }: DefaultProvidersOptions): readonly Override[] {
  const written = new Set([own, folder].flatMap((table) => Object.keys(tableAt(table, "providers"))));
  const isFirstRun = !hasProviders(own);
  const meant = providersOf([...named, ...modelsIn(own)]);
  const folders = providersOf(modelsIn(folder));
  return knownVendors.flatMap((vendor) => {
    const { name } = vendor;
    if (written.has(name)) return [];
    const table = vendorTable(vendor, env);
    const isOffered =
      isFirstRun &&
      setKeyOf(vendor, env) !== undefined &&
      !folders.has(name) &&
      // An invalid address of an unused provider must not prevent the start.
      table.every(({ key, value }) => key !== "base_url" || isAddress(value));
    if (!meant.has(name) && !isOffered) return [];
    return table.map(({ key, value, variable }): Override => ({
      path: ["providers", name, key],
      value,
      origin: variable ?? byDefault,
    }));
  });
}

export function hasProviders(table: Table): boolean {
  return Object.keys(tableAt(table, "providers")).length > 0;
}

function isAddress(value: string): boolean {
  return urlKey("").safeParse(value).success;
}

function tableAt(table: Table, key: string): Table {
  const inner = valueAt(table, [key]);
  return isTable(inner) ? inner : {};
}

function modelsIn(table: Table): readonly string[] {
  return Object.entries(table).flatMap(([key, value]) => {
    if (key === "model" && typeof value === "string") return [value];
    return isTable(value) ? modelsIn(value) : [];
  });
}

function providersOf(models: readonly string[]): ReadonlySet<string> {
  return new Set(models.flatMap((model) => (model.includes("/") ? model.slice(0, model.indexOf("/")) : [])));
}
