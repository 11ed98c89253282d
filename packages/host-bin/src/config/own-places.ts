import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ConfigError } from "@incipit/host/configuration-file";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a command is told of a configuration, beside the files. */
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

/** Reads no file. @throws {ConfigError} for a place that is another one in each folder. */
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
