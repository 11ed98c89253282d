import {
  byDefault,
  checkedConfig,
  type Config,
  type ConfigLayer,
  mergeLayers,
  type Override,
  type ParsedLayers,
  parseLayers,
  valueAt,
} from "@incipit/host/configuration";
import { coreSchema } from "./core-schema.ts";
import { defaultProviders, hasProviders } from "./default-providers.ts";
import { type OfferedVendor, vendorsWithKey } from "./known-vendors.ts";
import { overrides } from "./overrides.ts";
import { type ConfigSources, ownPlaces, type OwnPlaces } from "./own-places.ts";
import { readConfigFile } from "./read-config-file.ts";

export interface LoadOptions extends ConfigSources {
  /** Models that the command asks for, whatever host answers it. */
  readonly named?: readonly string[] | undefined;
}

/** What the user says: in a file of their own, in variables and flags. */
export interface LoadedConfig extends OwnPlaces {
  /** A variable or a flag says which model new conversations have. */
  readonly isModelNamed: boolean;
  /** Known vendors whose key is in the environment, as long as the user has configured no provider. */
  readonly offered: readonly OfferedVendor[];
  /**
   * The configuration of a host.
   * @param over What is laid over the user's file; variables and flags win over both.
   * @throws {ConfigError}
   */
  readonly config: (over?: ConfigLayer) => Config;
}

/** Flags win over variables, those over files. @throws {ConfigError} also for what is wrong in the user's own file. */
export function loadConfig({ cwd, env, named = [], flags }: LoadOptions): LoadedConfig {
  const won = overrides({ env, flags });
  const places = ownPlaces({ cwd, env, flags });
  const { dataFolder, file } = places;
  const layers = file === undefined ? [] : [readConfigFile(file)];
  const models = [...named, ...won.flatMap(({ path, value }) => (path[0] === "model" ? String(value) : []))];
  const table = mergeLayers(layers, coreSchema.whole);
  const parsed = (over?: ConfigLayer): ParsedLayers => {
    const defaults = defaultProviders({ own: table, folder: over?.table, named: models, env });
    const all = over === undefined ? layers : [...layers, over];
    const first = file === undefined ? firstRunDefaults(over) : [];
    return parseLayers(all, [...won, ...defaults, ...first], { schema: coreSchema, dataFolder });
  };
  const own = parsed();
  return {
    ...places,
    offered: hasProviders(table) ? [] : vendorsWithKey(env),
    isModelNamed: won.some(({ path }) => path[0] === "model"),
    config: (over) => checkedConfig(over === undefined ? own : parsed(over)),
  };
}

/** What holds while the user has no file: models have the workspace tools, unless the folder takes them away. */
function firstRunDefaults(over: ConfigLayer | undefined): readonly Override[] {
  const path = ["tools", "workspace"] as const;
  const said = over === undefined ? undefined : valueAt(over.table, path);
  return said === undefined ? [{ path, value: true, origin: byDefault }] : [];
}
