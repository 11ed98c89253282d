import { urlKey } from "@incipit/kernel";
import { byDefault, isTable, valueAt, type Override, type Table } from "@incipit/host/configuration";
import { knownVendors, setKeyOf, vendorTable } from "./known-vendors.ts";

export interface DefaultProvidersOptions {
  /** What the operator has written, without a word of a folder. */
  readonly own: Table;
  /** What the folder says that the host is started in; absent: nothing. */
  readonly folder?: Table | undefined;
  /** Models that are named by a flag or a variable. */
  readonly named: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Tables of known vendors that nobody has written, key by key.
 *
 * - A vendor that the operator names has one: as the provider of a model, in their own file, a variable or a flag.
 * - Where the operator has written no `[providers.NAME]` at all, each vendor has one whose key is in the environment.
 * - A table that is written wins, whoever has written it.
 * - What a folder names brings none, also where it would be there without that folder: its file has to say the whole.
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
      // What nobody named does not hold up a host by an address that is none.
      table.every(({ key, value }) => key !== "base_url" || isAddress(value));
    if (!meant.has(name) && !isOffered) return [];
    return table.map(({ key, value, variable }): Override => ({
      path: ["providers", name, key],
      value,
      origin: variable ?? byDefault,
    }));
  });
}

/** Whether somebody has said which providers there are. */
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

/** What stands under a key `model`, wherever that is: of new conversations, of a profile, of a channel. */
function modelsIn(table: Table): readonly string[] {
  return Object.entries(table).flatMap(([key, value]) => {
    if (key === "model" && typeof value === "string") return [value];
    return isTable(value) ? modelsIn(value) : [];
  });
}

function providersOf(models: readonly string[]): ReadonlySet<string> {
  return new Set(models.flatMap((model) => (model.includes("/") ? model.slice(0, model.indexOf("/")) : [])));
}
