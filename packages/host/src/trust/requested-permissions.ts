import { isTable, valueAt, type Table } from "../configuration/config-layer.ts";
import { kindsTable } from "../configuration/config-schema.ts";
import type { Configured } from "../configuration/configured.ts";
import type { RequestedPermission } from "@incipit/kernel";
import { escapeHiddenLine } from "@incipit/schema/text";

/** Most far-reaching first. `table` is the file alone, of which the configuration was made. */
export function requestedPermissionsOf(configured: Configured, table: Table): readonly string[] {
  const wishes = [...hostWishes(configured, table), ...extensionWishes(configured, table)];
  return Object.keys(table)
    .toSorted((one, other) => rank(one) - rank(other))
    .flatMap((key) => wordsOf(table, { key, wishes: wishes.filter(({ path }) => path[0] === key) }));
}

const first = [
  "extensions",
  "agents",
  "mcp",
  kindsTable,
  "network",
  "telemetry",
  "listen",
  "tools",
  "prompt",
  "system_prompt",
  "append_system_prompt",
  "profiles",
  "model",
];

function rank(key: string): number {
  const found = first.indexOf(key);
  return found === -1 ? first.length : found;
}

/** A key without a sentence is shown verbatim. */
function wordsOf(
  table: Table,
  { key, wishes }: { readonly key: string; readonly wishes: readonly RequestedPermission[] },
): readonly string[] {
  const isAbout = (path: readonly string[]): boolean =>
    wishes.some((wish) => wish.path.join("\n") === path.join("\n"));
  const told = wishes.flatMap(({ path, sentence, tells }) => {
    const given = valueAt(table, path);
    return [sentence, ...(isTable(given) ? rest(given, path, (inner) => isToldBy(inner, { path, tells })) : [])];
  });
  return isAbout([key]) ? told : [...told, ...rest(table[key], [key], isAbout)];
}

function isToldBy(inner: readonly string[], { path, tells }: Pick<RequestedPermission, "path" | "tells">): boolean {
  return inner.length === path.length + 1 && tells.includes(inner.at(-1) ?? "");
}

function rest(
  given: unknown,
  path: readonly string[],
  isTold: (path: readonly string[]) => boolean,
): readonly string[] {
  if (!isTable(given)) return [`sets ${path.join(".")} to ${whole(JSON.stringify(given))}`];
  return Object.entries(given).flatMap(([key, value]) => {
    const inner = [...path, key];
    return isTold(inner) ? [] : rest(value, inner, isTold);
  });
}

/** Makes a text safe for display without shortening it, because the user agrees to all of it. */
function whole(text: string): string {
  return escapeHiddenLine(JSON.stringify(text));
}

function extensionWishes(configured: Configured, table: Table): readonly RequestedPermission[] {
  return configured.wishes({ quote: whole, sending, given: (path) => valueAt(table, path) });
}

function sending(variables: readonly string[]): string {
  if (variables.length === 0) return "";
  return `, with your variable${variables.length === 1 ? "" : "s"} ${variables.join(", ")}`;
}

function hostWishes(configured: Configured, table: Table): readonly RequestedPermission[] {
  const { config } = configured;
  const has = (...path: readonly string[]): boolean => valueAt(table, path) !== undefined;
  const { extensions, network, profiles, model, system_prompt: text } = config;
  const wishes: RequestedPermission[] = [];
  const say = (path: readonly string[], sentence: string, tells: readonly string[] = []): void =>
    void wishes.push({ path, sentence, tells });
  for (const path of extensions.paths)
    say(["extensions", "paths"], `loads the extension in ${whole(path)}: its code runs inside the host`);
  if (has("extensions", "paths"))
    say(["extensions", "paths"], "loads none of the extensions in your own file's paths");
  for (const id of extensions.disabled)
    say(["extensions", "disabled"], `does not start the extension ${whole(id)}`);
  if (has("extensions", "disabled"))
    say(["extensions", "disabled"], "starts all others, including those your own file disables");
  for (const [id, value] of Object.entries(extensions.settings))
    say(
      ["extensions", "settings", id],
      `gives the extension ${whole(id)} the settings ${whole(JSON.stringify(value))}`,
      Object.keys(value),
    );
  for (const [name, provider] of Object.entries(config.providers))
    say(
      [kindsTable, name],
      providerWords(name, configured),
      Object.keys(provider).filter((key) => toldOfProvider.has(key)),
    );
  if (config.storage.use !== undefined)
    say(["storage"], `stores everything with the extension ${whole(config.storage.use)}`, ["use"]);
  if (network.proxy !== undefined && network.proxy !== "none")
    say(["network"], `sends the host's requests through ${whole(network.proxy)}`);
  if (text !== undefined) say(["system_prompt"], `sets the system prompt ${whole(text)}`);
  for (const [name, profile] of Object.entries(profiles)) {
    const uses = profile.model === undefined ? "" : `, which uses the model ${whole(profile.model)}`;
    const told =
      profile.system_prompt === undefined ? "" : `, with the system prompt ${whole(profile.system_prompt)}`;
    say(["profiles", name], `adds the profile ${whole(name)}${uses}${told}`, ["model", "system_prompt"]);
  }
  if (has("approvals"))
    say(
      ["approvals"],
      "lists tool calls to allow: they still need approval, because only your own file can allow them",
    );
  if (has("model")) say(["model"], `uses the model ${whole(model)}`);
  return wishes;
}

const toldOfProvider: ReadonlySet<string> = new Set(["kind", "base_url", "api_key_env"]);

function providerWords(name: string, configured: Configured): string {
  const models = whole(`${name}/…`);
  const endpoint = configured.endpoints().find(({ path }) => path.join(".") === `${kindsTable}.${name}`);
  if (endpoint === undefined) return `lets an extension answer as the models ${models}`;
  const [variable] = endpoint.variables;
  const key = variable === undefined ? "" : `, with the key in your variable ${variable.name}`;
  return `sends requests for the models ${models} to ${whole(endpoint.url)}${key}`;
}
