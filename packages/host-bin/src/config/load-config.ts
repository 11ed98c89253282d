import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ConfigError } from "./config-error.ts";
import type { Config } from "./config-schema.ts";
import { parseConfig, type Override } from "./parse-config.ts";
import { suggestion } from "./suggestion.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigSources {
  readonly cwd: string;
  readonly env: Environment;
  readonly flags: {
    readonly config?: string | undefined;
    readonly data?: string | undefined;
    readonly model?: string | undefined;
    readonly host?: string | undefined;
    readonly port?: string | undefined;
  };
}

export interface LoadedConfig {
  readonly config: Config;
  /** Absolute. */
  readonly dataFolder: string;
}

/** Variables that name places; those of `settings` stand for keys of the file. */
const places = ["INCIPIT_CONFIG", "INCIPIT_DATA"] as const;

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

/** Flags win over variables, those over the file. @throws {ConfigError} */
export function loadConfig({ cwd, env, flags }: ConfigSources): LoadedConfig {
  const known = [...places, ...settings.map(({ variable }) => variable)].toSorted();
  for (const name of Object.keys(env)) {
    if (name.startsWith("INCIPIT_") && !known.includes(name))
      throw new ConfigError(`The variable "${name}" is unknown${suggestion(name, known)}`);
  }
  const file = findFile(flags.config ?? env["INCIPIT_CONFIG"], cwd, xdgFolder(env, "XDG_CONFIG_HOME", ".config"));
  const data =
    flags.data ?? env["INCIPIT_DATA"] ?? join(xdgFolder(env, "XDG_DATA_HOME", ".local/share"), "incipit");
  const config = parseConfig(
    file === undefined ? "" : readText(file),
    file ?? "incipit.toml",
    overrides(env, flags),
  );
  const paths = config.extensions.paths.map((path) => resolve(file === undefined ? cwd : dirname(file), path));
  return {
    config: { ...config, extensions: { ...config.extensions, paths } },
    dataFolder: resolve(cwd, data),
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

/** A relative one is to be ignored, says the XDG specification. */
function xdgFolder(env: Environment, name: string, fallback: string): string {
  const folder = env[name];
  return folder !== undefined && isAbsolute(folder) ? folder : join(env["HOME"] ?? homedir(), fallback);
}

function findFile(named: string | undefined, cwd: string, configHome: string): string | undefined {
  if (named !== undefined) return resolve(cwd, named);
  return [join(cwd, "incipit.toml"), join(configHome, "incipit/incipit.toml")].find((file) => existsSync(file));
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`Cannot read the configuration "${file}": ${reason}`, { cause });
  }
}
