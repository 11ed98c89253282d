import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { ConfigError } from "./config-error.ts";
import { configSchema, type Config } from "./config-schema.ts";
import { checked, parseConfig, suggestion } from "./parse-config.ts";

export interface ConfigSources {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
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

const variables = [
  "INCIPIT_CONFIG",
  "INCIPIT_DATA",
  "INCIPIT_HOST",
  "INCIPIT_MODEL",
  "INCIPIT_PORT",
  "INCIPIT_SYSTEM_PROMPT",
] as const;

/** Flags win over variables, those over the file. @throws {ConfigError} */
export function loadConfig({ cwd, env, flags }: ConfigSources): LoadedConfig {
  for (const name of Object.keys(env)) {
    if (name.startsWith("INCIPIT_") && !variables.some((known) => known === name)) {
      throw new ConfigError(`Unknown variable "${name}"${suggestion(name, variables)}`);
    }
  }
  const home = env["HOME"] ?? homedir();
  const file = findFile(
    flags.config ?? env["INCIPIT_CONFIG"],
    cwd,
    env["XDG_CONFIG_HOME"] ?? join(home, ".config"),
  );
  const fromFile = file === undefined ? configSchema.parse({}) : parseConfig(readText(file), file);
  const port = flags.port ?? env["INCIPIT_PORT"];
  const host = flags.host ?? env["INCIPIT_HOST"];
  const model = flags.model ?? env["INCIPIT_MODEL"];
  const systemPrompt = env["INCIPIT_SYSTEM_PROMPT"];
  const config = {
    ...fromFile,
    ...(model === undefined ? {} : { model }),
    ...(systemPrompt === undefined ? {} : { system_prompt: systemPrompt }),
    listen: {
      ...fromFile.listen,
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port: toPort(port) }),
    },
  };
  const data =
    flags.data ?? env["INCIPIT_DATA"] ?? join(env["XDG_DATA_HOME"] ?? join(home, ".local/share"), "incipit");
  return { config: checked(config, () => "flags and variables"), dataFolder: resolve(cwd, data) };
}

function findFile(named: string | undefined, cwd: string, configHome: string): string | undefined {
  if (named !== undefined) return resolve(cwd, named);
  return [join(cwd, "incipit.toml"), join(configHome, "incipit/incipit.toml")].find((file) => existsSync(file));
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(
      `Cannot read the configuration "${file}": ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

function toPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && text.trim() !== "") return port;
  throw new ConfigError(`The port "${text}" is no number from 0 to 65535`);
}
