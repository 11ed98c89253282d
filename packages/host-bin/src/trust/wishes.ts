import { isTable, valueAt, type Table } from "../config/config-layer.ts";
import type { Config, ProviderConfig } from "../config/config-schema.ts";
import { isLoopback } from "@incipit/host/addresses";
import { callOf } from "../provider-settings.ts";
import { quoted } from "@incipit/host/text";

/**
 * What a file would do, a plain sentence each; what reaches furthest first.
 * @param table The file alone, of which `config` was made.
 */
export function wishesOf(config: Config, table: Table): readonly string[] {
  return Object.entries<Words>(words).flatMap(([key, say]) =>
    Object.hasOwn(table, key) ? say(config, table[key]) : [],
  );
}

/** To its end: what stands behind it is what somebody agrees to as well. */
function whole(text: string): string {
  return quoted(text, { maxCharacters: Infinity });
}

type Words = (config: Config, given: unknown) => readonly string[];

/** Complete, so that there is no key that nobody is told of; what a sentence does not tell is shown as it stands. */
const words = {
  extensions: ({ extensions: { paths, disabled, settings } }, given) => [
    ...paths.map((path) => `loads the extension in ${whole(path)}: its code runs inside the host`),
    ...(valueAt(given, ["paths"]) === undefined
      ? []
      : ["loads none of those that your own file names in its paths"]),
    ...disabled.map((id) => `does not start the extension ${whole(id)}`),
    ...(valueAt(given, ["disabled"]) === undefined
      ? []
      : ["starts the others, also those that your own file disables"]),
    ...Object.entries(settings).map(
      ([id, value]) => `gives the extension ${whole(id)} the settings ${whole(JSON.stringify(value))}`,
    ),
    ...rest(given, ["extensions"], ["paths", "disabled", "settings"]),
  ],
  mcp: ({ mcp: { servers } }, given) => [
    ...Object.entries(servers).flatMap(([name, server]) => [
      serverWords(name, server),
      ...rest(valueAt(given, ["servers", name]), ["mcp", "servers", name], serverKeys),
    ]),
    ...rest(given, ["mcp"], ["servers"]),
  ],
  providers: ({ providers }, given) =>
    Object.entries(providers).flatMap(([name, provider]) => [
      providerWords(name, provider),
      ...rest(valueAt(given, [name]), ["providers", name], ["kind", "base_url", "api_key_env"]),
    ]),
  network: ({ network: { proxy } }, given) => [
    ...(proxy === undefined || proxy === "none" ? [] : [`sends what the host requests over ${whole(proxy)}`]),
    ...rest(given, ["network"], []),
  ],
  telemetry: ({ telemetry: { otlp_url: url, headers_env: headers, content } }, given) => {
    if (url === undefined) return rest(given, ["telemetry"], []);
    const what = content ? "what the host does and what is said" : "what the host does";
    const told = `tells ${whole(url)} ${what}${sending(Object.values(headers))}`;
    return [told, ...rest(given, ["telemetry"], ["otlp_url", "headers_env"])];
  },
  listen: ({ listen: { host } }, given) => [
    ...(isLoopback(host) ? [] : [`lets others on the network reach the host, at ${whole(host)}`]),
    ...rest(given, ["listen"], []),
  ],
  tools: (_config, given) => rest(given, ["tools"], []),
  prompt: ({ prompt: { read } }, given) => [
    ...(valueAt(given, ["read"]) === undefined
      ? []
      : [`lets prompts hold files of ${read.map((path) => whole(path)).join(", ") || "no folder"}`]),
    ...rest(given, ["prompt"], ["read"]),
  ],
  system_prompt: ({ system_prompt: text = "" }) => [`tells models ${whole(text)}`],
  append_system_prompt: ({ append_system_prompt: text = "" }) => [`tells models besides ${whole(text)}`],
  profiles: ({ profiles }, given) =>
    Object.entries(profiles).flatMap(([name, { model, system_prompt: text }]) => {
      const uses = model === undefined ? "" : `, which uses the model ${whole(model)}`;
      const told = `brings the profile ${whole(name)}${uses}${text === undefined ? "" : `, told ${whole(text)}`}`;
      return [told, ...rest(valueAt(given, [name]), ["profiles", name], ["model", "system_prompt"])];
    }),
  model: ({ model }) => [`uses the model ${whole(model)}`],
  records: (_config, given) => rest(given, ["records"], []),
  approval_timeout_seconds: (_config, given) => rest(given, ["approval_timeout_seconds"], []),
  resume: (_config, given) => rest(given, ["resume"], []),
  compaction: (_config, given) => rest(given, ["compaction"], []),
  prompt_refresh: (_config, given) => rest(given, ["prompt_refresh"], []),
} as const satisfies Record<keyof Config, Words>;

function providerWords(name: string, provider: ProviderConfig): string {
  const { url, keyVariable } = callOf(provider);
  const models = whole(`${name}/…`);
  if (url === undefined) return `lets an extension answer as the models ${models}`;
  const key = keyVariable === undefined ? "" : `, with the key in your variable ${keyVariable}`;
  return `sends what goes to the models ${models} to ${whole(url)}${key}`;
}

/** What `serverWords` tells. */
const serverKeys = ["command", "args", "cwd", "env", "url", "token_env", "headers_env"];

function serverWords(name: string, server: Config["mcp"]["servers"][string]): string {
  const { command, args = [], cwd, env = [], url = "", token_env: token, headers_env: headers = {} } = server;
  const allowed = Object.entries(server.tools).flatMap(([tool, { approve }]) =>
    approve === "allow" ? [whole(tool)] : [],
  );
  const free = server.approve === "allow" ? ["all of them"] : allowed;
  const unasked = free.length === 0 ? "" : `; without a question run ${free.join(", ")}`;
  const tools = `gives models the tools ${whole(`${name}__…`)}`;
  if (command === undefined) {
    const variables = [...(token === undefined ? [] : [token]), ...Object.values(headers)];
    return `${tools} of ${whole(url)}${sending(variables)}${unasked}`;
  }
  const program = [command, ...args].map((word) => whole(word)).join(" ");
  const where = cwd === undefined ? "" : ` in ${whole(cwd)}`;
  return `starts the program ${program}${where}${sending(env)}, and ${tools}${unasked}`;
}

function sending(variables: readonly string[]): string {
  if (variables.length === 0) return "";
  return `, with your variable${variables.length === 1 ? "" : "s"} ${variables.join(", ")}`;
}

/** Keys of a table but for those that a sentence has told. */
function rest(given: unknown, path: readonly string[], told: readonly string[]): readonly string[] {
  if (!isTable(given)) return [`sets ${path.join(".")} to ${whole(JSON.stringify(given))}`];
  return Object.entries(given).flatMap(([key, value]) =>
    told.includes(key) ? [] : rest(value, [...path, key], []),
  );
}
