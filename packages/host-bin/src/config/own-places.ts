import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ConfigError } from "@incipit/host/configuration-file";

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

export interface OwnPlaces {
  readonly dataFolder: string;
  readonly file: string | undefined;
  readonly configFile: string;
  readonly userFolder: string;
  readonly ownFolder: string;
}

/**
 * Reads no file.
 * @throws {ConfigError} for a relative path, which depends on the current folder.
 */
export function ownPlaces(sources: ConfigSources): OwnPlaces {
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

function namedPlace(flag: "config" | "data", { cwd, env, flags }: ConfigSources): string | undefined {
  const given = flags[flag];
  if (given === "") throw new ConfigError(`--${flag} is empty; name a ${flag === "data" ? "folder" : "file"}`);
  if (given !== undefined) return resolve(cwd, given);
  const variable = `INCIPIT_${flag.toUpperCase()}`;
  const path = env[variable] ?? "";
  if (path === "") return undefined;
  // Variables are set once for all folders: a relative path could select a file in an untrusted folder.
  if (!isAbsolute(path))
    throw new ConfigError(
      `The variable "${variable}" is ${JSON.stringify(path)}, which is another place in each folder; write an absolute path, or use --${flag}`,
    );
  return path;
}

/** @throws {ConfigError} for a relative path: git and other programs would also read settings in any folder. */
function homeFolder(env: Environment): string {
  const home = env["HOME"] || homedir();
  if (isAbsolute(home)) return home;
  const message = `The variable "HOME" is ${JSON.stringify(home)}, which is another place in each folder; write an absolute path`;
  throw new ConfigError(message);
}

/** Returns an XDG folder; ignores a relative path, as the XDG specification requires. */
function xdgFolder(named: string | undefined, fallback: string): string {
  return named !== undefined && isAbsolute(named) ? named : fallback;
}
