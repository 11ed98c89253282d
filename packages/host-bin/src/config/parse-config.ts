import type * as z from "zod";
import { isLoopback } from "@incipit/host/addresses";
import { proxyProblems } from "../proxy-settings.ts";
import { ConfigError } from "./config-error.ts";
import { readLayer, valueAt, withValue, type ConfigLayer, type Table } from "./config-layer.ts";
import { configSchema, knownKeys, type Config } from "./config-schema.ts";
import { lineOfKey } from "./line-of-key.ts";
import { layerOf, mergeLayers } from "./merge-layers.ts";
import { suggestion } from "./suggestion.ts";

/** A value that wins over the file's. */
export interface Override {
  readonly path: readonly [string, ...string[]];
  readonly value: unknown;
  /** Where it was written, such as `--port`. */
  readonly origin: string;
}

/** What is wrong with a key. */
interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Reads the text of a configuration file.
 * @throws {ConfigError} A line `FILE:LINE: key "x" …` for each thing that is wrong, with the nearest known key. Values
 *   that could be secrets are not in it.
 */
export function parseConfig(text: string, file: string, overrides: readonly Override[] = []): Config {
  return checkedConfig(parseLayers([readLayer(text, { file })], overrides));
}

/** Files that are laid over each other: each key is right by itself. */
export interface ParsedLayers {
  readonly config: Config;
  readonly layers: readonly ConfigLayer[];
  readonly overrides: readonly Override[];
}

/** @param layers Each wins over those before it. @throws {ConfigError} as {@link parseConfig}. */
export function parseLayers(layers: readonly ConfigLayer[], overrides: readonly Override[]): ParsedLayers {
  const document = overrides.reduce<Table>(
    (table, { path, value }) => withValue(table, path, value),
    mergeLayers(layers),
  );
  // It is read once or twice in a process: to compile the checks takes longer than all of it does without.
  const parsed = configSchema.safeParse(document, { jitless: true });
  if (parsed.success) return { config: parsed.data, layers, overrides };
  const problems = parsed.error.issues.slice(0, maxProblems + 1).flatMap((issue) => describe(issue, document));
  throw configError(problems, { layers, overrides });
}

/** The configuration, when its keys are right beside each other, too. @throws {ConfigError} as {@link parseConfig}. */
export function checkedConfig(parsed: ParsedLayers): Config {
  const problems = contradictions(parsed.config);
  if (problems.length > 0) throw configError(problems, parsed);
  return parsed.config;
}

function configError(
  problems: readonly Problem[],
  { layers, overrides }: Pick<ParsedLayers, "layers" | "overrides">,
): ConfigError {
  const lines = problems.slice(0, maxProblems).map(({ path, message }) => {
    const override = overrides.find((candidate) => candidate.path.every((part, index) => part === path[index]));
    const layer = layerOf(path, layers);
    const where = override?.origin ?? `${layer?.file ?? "incipit.toml"}:${lineOfKey(layer?.text ?? "", path)}`;
    return `${where}: key "${path.map(String).join(".")}" ${message}`;
  });
  if (problems.length > maxProblems) lines.push("… and more; fix these first");
  return new ConfigError(lines.join("\n"));
}

/** For each one that is said, the text is searched for its line. */
const maxProblems = 20;

const typeNames: ReadonlyMap<string, string> = new Map([
  ["array", "a list"],
  ["int", "a whole number"],
  ["number", "a number"],
  ["object", "a table"],
  ["record", "a table"],
  ["string", "a string"],
]);

function describe(issue: z.core.$ZodIssue, document: Table): readonly Problem[] {
  const { path } = issue;
  const given = valueAt(document, path);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.slice(0, maxProblems + 1).map((key) => ({
        path: [...path, key],
        message: `is unknown${suggestion(key, knownKeys(path) ?? [])}`,
      }));
    case "invalid_type": {
      const wanted = issue.message.startsWith("must be ")
        ? issue.message
        : `must be ${typeNames.get(issue.expected) ?? issue.expected}`;
      return [{ path, message: given === undefined ? `is missing; it ${wanted}` : wanted }];
    }
    case "invalid_value": {
      const values = issue.values.map(String);
      if (typeof given === "string") return [{ path, message: `has no such value${suggestion(given, values)}` }];
      const list = values.map((value) => `"${value}"`).join(", ");
      return [{ path, message: `${given === undefined ? "is missing; it " : ""}must be one of ${list}` }];
    }
    case "invalid_key":
      return issue.issues.map(({ message }) => ({ path, message }));
    default:
      return [{ path, message: issue.message }];
  }
}

/** Values that are right by themselves, and wrong beside each other. */
function contradictions(config: Config): readonly Problem[] {
  const problems: Problem[] = [...proxyProblems(config)];
  const { host, allowed_hosts: allowedHosts } = config.listen;
  if (!isLoopback(host) && allowedHosts.length === 0) {
    const message = `is "${host}", which others can reach; name the hosts to serve in "listen.allowed_hosts"`;
    problems.push({ path: ["listen", "host"], message });
  }
  for (const [name, { kind, ...keys }] of Object.entries(config.providers)) {
    const path = ["providers", name];
    if (kind === "openai-compatible" && keys.base_url === undefined)
      problems.push({ path, message: 'needs "base_url", with its version, such as "http://127.0.0.1:11434/v1"' });
    if (kind === "offline" || kind === "extension")
      for (const key of Object.keys(keys))
        problems.push({ path: [...path, key], message: `does nothing for the kind "${kind}"; take it out` });
    if (keys.api !== undefined && kind !== "openai" && kind !== "offline" && kind !== "extension")
      problems.push({
        path: [...path, "api"],
        message: `does nothing for the kind "${kind}", which has one API; take it out`,
      });
    if (keys.cache_ttl !== undefined && kind !== "anthropic" && kind !== "offline" && kind !== "extension")
      problems.push({
        path: [...path, "cache_ttl"],
        message: `does nothing for the kind "${kind}", whose vendor decides that itself; take it out`,
      });
    if (name === "offline" && kind !== "offline")
      problems.push({ path, message: "is the built-in provider's name; choose another one" });
  }
  for (const [name, server] of Object.entries(config.mcp.servers)) {
    const { command, url, args, cwd, env, token_env: token, headers_env: headers, proxy } = server;
    const path = ["mcp", "servers", name];
    const loose =
      command === undefined || cwd !== undefined ? undefined : args?.find((word) => /^\.\.?(\/|$)/.test(word));
    if (loose !== undefined) {
      const message = `has ${JSON.stringify(loose)}, and the program does not run in the working folder; write "$cwd", or run it there (cwd = "$cwd")`;
      problems.push({ path: [...path, "args"], message });
    }
    if ((command === undefined) === (url === undefined)) {
      const which = command === undefined ? "neither of them" : "both";
      problems.push({ path, message: `needs "command" (a program) or "url" (streamable HTTP), and has ${which}` });
    }
    const idle = command === undefined ? { args, cwd, env } : { token_env: token, headers_env: headers, proxy };
    for (const [key, value] of Object.entries(idle))
      if (value !== undefined)
        problems.push({
          path: [...path, key],
          message: `does nothing for a server with "${command === undefined ? "url" : "command"}"; take it out`,
        });
  }
  const providers = new Set(["offline", ...Object.keys(config.providers)]);
  const models = [
    { path: ["model"], model: config.model },
    ...Object.entries(config.profiles).map(([name, { model }]) => ({ path: ["profiles", name, "model"], model })),
  ];
  for (const { path, model } of models) {
    const provider = model?.slice(0, model.indexOf("/"));
    if (provider === undefined || providers.has(provider)) continue;
    const message = `is "${model}", and there is no [providers.${provider}]; add it (with kind = "extension" when an added extension brings it), or use "offline/echo"`;
    problems.push({ path, message });
  }
  return problems;
}
