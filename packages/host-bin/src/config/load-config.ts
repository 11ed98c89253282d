import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import {
  checkedConfig,
  type Config,
  ConfigError,
  type ConfigLayer,
  mergeLayers,
  type Override,
  type ParsedLayers,
  parseLayers,
  readLayer,
} from "@incipit/host/configuration";
import { suggestion } from "@incipit/host/text";
import { coreSchema } from "./core-schema.ts";
import { defaultProviders, hasProviders } from "./default-providers.ts";
import { type OfferedVendor, vendorsWithKey } from "./known-vendors.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigSources {
  readonly cwd: string;
  readonly env: Environment;
  /** Models that the command asks for, whatever host answers it. */
  readonly named?: readonly string[] | undefined;
  readonly flags: {
    readonly config?: string | undefined;
    readonly data?: string | undefined;
    readonly model?: string | undefined;
    readonly host?: string | undefined;
    readonly port?: string | undefined;
  };
}

/** Where what is the user's own lies; all absolute. */
export interface OwnPlaces {
  readonly dataFolder: string;
  /** The user's own file; `undefined`: there is none. */
  readonly file: string | undefined;
  /** Where that is, or would be. */
  readonly configFile: string;
  /** Where what else is the user's own lies. */
  readonly userFolder: string;
  /** Where that is unless a file is named. */
  readonly ownFolder: string;
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

/** Reads no file. @throws {ConfigError} for a place that is another one in each folder. */
export function ownPlaces(sources: Pick<ConfigSources, "cwd" | "env" | "flags">): OwnPlaces {
  const { env } = sources;
  const home = homeFolder(env);
  const ownFolder = join(xdgFolder(env["XDG_CONFIG_HOME"], join(home, ".config")), "incipit");
  const given = namedPlace("config", sources);
  const configFile = given ?? join(ownFolder, "incipit.toml");
  const file = given !== undefined || existsSync(configFile) ? configFile : undefined;
  const dataFolder =
    namedPlace("data", sources) ?? join(xdgFolder(env["XDG_DATA_HOME"], join(home, ".local/share")), "incipit");
  return { configFile, dataFolder, file, ownFolder, userFolder: dirname(configFile) };
}

/** Variables that name places; those of `settings` stand for keys of the file. */
const placeVariables = ["INCIPIT_CONFIG", "INCIPIT_DATA"] as const;

interface Setting {
  readonly path: readonly [string, ...string[]];
  readonly variable: string;
  readonly flag?: "model" | "host" | "port";
  readonly read?: (text: string) => unknown;
}

const settings: readonly Setting[] = [
  { path: ["model"], variable: "INCIPIT_MODEL", flag: "model" },
  { path: ["system_prompt"], variable: "INCIPIT_SYSTEM_PROMPT" },
  { path: ["append_system_prompt"], variable: "INCIPIT_APPEND_SYSTEM_PROMPT" },
  { path: ["prompt_refresh"], variable: "INCIPIT_PROMPT_REFRESH" },
  { path: ["listen", "host"], variable: "INCIPIT_HOST", flag: "host" },
  // Left as text when it is no number: the schema says what it must be.
  {
    path: ["listen", "port"],
    variable: "INCIPIT_PORT",
    flag: "port",
    read: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  },
  { path: ["terminal", "screen_reader"], variable: "INCIPIT_SCREEN_READER", read: (text) => switchOf(text) },
  {
    path: ["listen", "allowed_hosts"],
    variable: "INCIPIT_ALLOWED_HOSTS",
    read: (text) =>
      text
        .split(",")
        .map((host) => host.trim())
        .filter((host) => host !== ""),
  },
];

/** `1` and `0`, as variables have them; anything else is left for the schema to refuse. */
function switchOf(text: string): unknown {
  return text === "1" || text === "true" ? true : text === "0" || text === "false" ? false : text;
}

/** Flags win over variables, those over files. @throws {ConfigError} also for what is wrong in the user's own file. */
export function loadConfig({ cwd, env, named = [], flags }: ConfigSources): LoadedConfig {
  const known = [...placeVariables, ...settings.map(({ variable }) => variable)].toSorted();
  for (const name of Object.keys(env)) {
    if (name.startsWith("INCIPIT_") && !known.includes(name))
      throw new ConfigError(`The variable "${name}" is unknown${suggestion(name, known)}`);
  }
  const places = ownPlaces({ cwd, env, flags });
  const { dataFolder, file } = places;
  const layers = file === undefined ? [] : [readLayer(readText(file), { file, folder: dirname(file) })];
  const won = overrides(env, flags);
  const models = [...named, ...won.flatMap(({ path, value }) => (path[0] === "model" ? String(value) : []))];
  const table = mergeLayers(layers, coreSchema.whole);
  const parsed = (over?: ConfigLayer): ParsedLayers => {
    const defaults = defaultProviders({ own: table, folder: over?.table, named: models, env });
    const all = over === undefined ? layers : [...layers, over];
    return parseLayers(all, [...won, ...defaults], { schema: coreSchema, dataFolder });
  };
  const own = parsed();
  return {
    ...places,
    offered: hasProviders(table) ? [] : vendorsWithKey(env),
    isModelNamed: won.some(({ path }) => path[0] === "model"),
    config: (over) => checkedConfig(over === undefined ? own : parsed(over)),
  };
}

function overrides(env: Environment, flags: ConfigSources["flags"]): readonly Override[] {
  return settings.flatMap(({ path, variable, flag, read = (text) => text }) => {
    const fromFlag = flag === undefined ? undefined : flags[flag];
    const text = fromFlag ?? env[variable];
    if (text === undefined) return [];
    return [{ path, value: read(text), origin: fromFlag === undefined ? variable : `--${flag}` }];
  });
}

/** The path that a flag or a variable names; `undefined`: neither does. @throws {ConfigError} */
function namedPlace(flag: "config" | "data", { cwd, env, flags }: ConfigSources): string | undefined {
  const given = flags[flag];
  if (given === "") throw new ConfigError(`--${flag} is empty; name a ${flag === "data" ? "folder" : "file"}`);
  if (given !== undefined) return resolve(cwd, given);
  const variable = `INCIPIT_${flag.toUpperCase()}`;
  const path = env[variable] ?? "";
  if (path === "") return undefined;
  // It is set once and holds everywhere: a relative one would name what somebody else has put into a folder.
  if (!isAbsolute(path))
    throw new ConfigError(
      `The variable "${variable}" is ${JSON.stringify(path)}, which is another place in each folder; write an absolute path, or use --${flag}`,
    );
  return path;
}

/** @throws {ConfigError} for a relative one: git and others would look for their settings in any folder, too. */
function homeFolder(env: Environment): string {
  const home = env["HOME"] || homedir();
  if (isAbsolute(home)) return home;
  const message = `The variable "HOME" is ${JSON.stringify(home)}, which is another place in each folder; write an absolute path`;
  throw new ConfigError(message);
}

/** A relative one is to be ignored, says the XDG specification. */
function xdgFolder(named: string | undefined, fallback: string): string {
  return named !== undefined && isAbsolute(named) ? named : fallback;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`Cannot read the configuration "${file}": ${reason}`, { cause });
  }
}
