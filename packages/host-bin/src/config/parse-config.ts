import { closest, distance } from "fastest-levenshtein";
import { parse, TomlError } from "smol-toml";
import type * as z from "zod";
import { ConfigError } from "./config-error.ts";
import { configSchema, knownKeys, type Config } from "./config-schema.ts";
import { lineOfKey } from "./line-of-key.ts";

/** @throws {ConfigError} `FILE:LINE: …` for each thing that is wrong, with the nearest known key. */
export function parseConfig(text: string, file: string): Config {
  const parsed = configSchema.safeParse(parseToml(text, file));
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap((issue) => describe(issue, text, file));
    throw new ConfigError(problems.join("\n"));
  }
  return checked(parsed.data, (path) => `${file}:${lineOfKey(text, path)}`);
}

/** What no single value shows. `where` gives file and line of a key. */
export function checked(config: Config, where: (path: readonly string[]) => string): Config {
  const { host, allowed_hosts: allowedHosts } = config.listen;
  if (!["127.0.0.1", "::1", "localhost"].includes(host) && allowedHosts.length === 0) {
    throw new ConfigError(
      `${where(["listen", "host"])}: "listen.host" is "${host}", which others can reach; name the hosts to serve in "listen.allowed_hosts"`,
    );
  }
  for (const [name, provider] of Object.entries(config.providers)) {
    if (provider.kind === "openai-compatible" && provider.base_url === undefined) {
      throw new ConfigError(
        `${where(["providers", name])}: "providers.${name}" needs "base_url", with its version, such as "http://127.0.0.1:11434/v1"`,
      );
    }
  }
  const [provider = ""] = config.model.split("/");
  if (provider !== "offline" && config.providers[provider] === undefined) {
    throw new ConfigError(
      `${where(["model"])}: "model" is "${config.model}", and there is no [providers.${provider}]; add it, or use "offline/echo"`,
    );
  }
  return config;
}

function parseToml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = "it is no valid TOML"] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new ConfigError(`${file}:${error.line}: ${reason}`, { cause: error });
  }
}

function describe(issue: z.core.$ZodIssue, text: string, file: string): readonly string[] {
  if (issue.code !== "unrecognized_keys") {
    return [
      `${file}:${lineOfKey(text, issue.path)}: "${issue.path.map(String).join(".")}" ${issue.message.replace(/^Invalid input: /, "")}`,
    ];
  }
  return issue.keys.map((key) => {
    const path = [...issue.path, key];
    const known = knownKeys(issue.path) ?? [];
    return `${file}:${lineOfKey(text, path)}: unknown key "${path.map(String).join(".")}"${suggestion(key, known)}`;
  });
}

/** The nearest of the known words, or all of them when none is near. */
export function suggestion(word: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  const nearest = closest(word, known);
  return distance(word, nearest) <= Math.max(2, word.length / 2)
    ? `; did you mean "${nearest}"?`
    : `; known are ${known.join(", ")}`;
}
