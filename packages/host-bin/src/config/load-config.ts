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
import { type OfferedVendor, vendorsWithKey } from "./known-providers.ts";
import { overrides } from "./overrides.ts";
import { type ConfigSources, ownPlaces, type OwnPlaces } from "./own-places.ts";
import { readConfigFile } from "./read-config-file.ts";

export interface LoadOptions extends ConfigSources {
  readonly named?: readonly string[] | undefined;
}

export interface LoadedConfig extends OwnPlaces {
  readonly isModelNamed: boolean;
  /** Known providers with a key in the environment; empty once the user has configured a provider. */
  readonly offered: readonly OfferedVendor[];
  /**
   * `over` is merged over the user's file; variables and flags override both.
   * @throws {ConfigError}
   */
  readonly config: (over?: ConfigLayer) => Config;
}

/**
 * Flags override variables, which override files.
 * @throws {ConfigError} also for mistakes in the user's own file.
 */
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

/** Without a user file, models have the workspace tools unless the folder disables them. */
function firstRunDefaults(over: ConfigLayer | undefined): readonly Override[] {
  const path = ["tools", "workspace"] as const;
  const said = over === undefined ? undefined : valueAt(over.table, path);
  return said === undefined ? [{ path, value: true, origin: byDefault }] : [];
}
