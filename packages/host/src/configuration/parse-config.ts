import { proxyProblems } from "./proxy-settings.ts";
import { addedExtensions, type AddedExtensions } from "./added-extensions.ts";
import { checkEntry, driverProblems, settingsProblems } from "./check-kinds.ts";
import { checkTable, maxProblems, unknownKey, type Problem } from "./check-table.ts";
import { ConfigError } from "./config-error.ts";
import { isTable, readLayer, valueAt, withValue, type ConfigLayer, type Table } from "./config-layer.ts";
import { kindsTable, type Config, type ConfigSchema, type ProviderConfig } from "./config-schema.ts";
import { Configured } from "./configured.ts";
import { mergeLayers } from "./merge-layers.ts";
import { promptPathProblems } from "./prompt-path-problems.ts";
import { originKey, problemLines, type Origin, type Override } from "./origin.ts";

export interface ParseOptions {
  readonly schema: ConfigSchema;
  readonly dataFolder?: string;
  readonly added?: (paths: readonly string[]) => AddedExtensions;
}

/**
 * @throws {ConfigError} One line `FILE:LINE: key "x" …` per problem, with the nearest known key and without values that
 * could be secrets.
 */
export function parseConfig(
  text: string,
  file: string,
  { overrides = [], ...options }: ParseOptions & { readonly overrides?: readonly Override[] },
): Config {
  return checkedConfig(parseLayers([readLayer(text, { file })], overrides, options));
}

export interface ParsedLayers {
  readonly config: Config;
  readonly origin: Origin;
  readonly schema: ConfigSchema;
}

export function parseLayers(
  layers: readonly ConfigLayer[],
  overrides: readonly Override[],
  { schema, dataFolder, added = (paths) => addedExtensions({ paths, dataFolder }) }: ParseOptions,
): ParsedLayers {
  const origin = { layers, overrides, whole: schema.whole };
  const document = overrides.reduce<Table>(
    (table, { path, value }) => withValue(table, path, value),
    mergeLayers(layers, schema.whole),
  );
  const describeUnknown = (key: string, path: readonly PropertyKey[]): string =>
    unknownKey(key, schema.knownKeys(path) ?? []);
  const merged = checkTable(schema.merged, document, { describeUnknown });
  const problems: Problem[] = merged.kind === "right" ? [] : [...merged.problems];
  let known: AddedExtensions | undefined;
  const options = { schema, added: () => (known ??= added(pathsIn(document))) };
  const entries: Record<string, ProviderConfig>[] = [];
  for (const [name, entry] of tablesAt(document, [kindsTable])) {
    if (problems.length > maxProblems) break;
    const checked = checkEntry(name, entry, options);
    if (checked.kind === "right") entries.push({ [name]: checked.value });
    else problems.push(...checked.problems);
  }
  for (const [id, settings] of tablesAt(document, ["extensions", "settings"])) {
    if (problems.length > maxProblems) break;
    problems.push(...settingsProblems(id, settings, options));
  }
  const driver = valueAt(document, ["storage", "use"]);
  if (typeof driver === "string") problems.push(...driverProblems(driver, options));
  if (merged.kind === "wrong" || problems.length > 0) throw configError(problems, origin);
  const config = schema.view.parse({ ...merged.value, [kindsTable]: Object.assign({}, ...entries) });
  return { config: Object.defineProperty(config, originKey, { value: origin, enumerable: false }), origin, schema };
}

function pathsIn(document: Table): readonly string[] {
  const paths = valueAt(document, ["extensions", "paths"]);
  return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
}

function tablesAt(document: Table, path: readonly string[]): readonly (readonly [string, Table])[] {
  const all = valueAt(document, path);
  if (!isTable(all)) return [];
  return Object.entries(all).flatMap(([name, inner]) => (isTable(inner) ? [[name, inner] as const] : []));
}

export function checkedConfig({ config, origin, schema }: ParsedLayers): Config {
  const problems = contradictions(new Configured(config, schema.extensions));
  if (problems.length > 0) throw configError(problems, origin);
  return config;
}

function configError(problems: readonly Problem[], origin: Origin): ConfigError {
  return new ConfigError(problemLines(problems, { [originKey]: origin }).join("\n"));
}

function contradictions(configured: Configured): readonly Problem[] {
  const { config } = configured;
  const problems: Problem[] = [
    ...proxyProblems(configured),
    ...promptPathProblems(config),
    ...configured.problems(),
  ];
  for (const [name, { kind }] of Object.entries(config.providers))
    if ((configured.fixedProviders().get(name) ?? kind) !== kind)
      problems.push({ path: [kindsTable, name], message: "is the built-in provider's name; choose another one" });
  const providers = new Set([...configured.fixedProviders().keys(), ...Object.keys(config.providers)]);
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
