import { ConfigError, type Override } from "@incipit/host/configuration-file";
import { suggestion } from "@incipit/common/suggestion";
import type { ConfigSources } from "./own-places.ts";

/** Other variables, in `settings`, override keys of the file. */
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
  // Other text is kept for the schema to reject.
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

/** Accepts `1` and `0` too; other text is kept for the schema to reject. */
function switchOf(text: string): unknown {
  return text === "1" || text === "true" ? true : text === "0" || text === "false" ? false : text;
}

/** @throws {ConfigError} for an unknown INCIPIT_ variable. */
export function overrides({ env, flags }: Pick<ConfigSources, "env" | "flags">): readonly Override[] {
  const known = [...placeVariables, ...settings.map(({ variable }) => variable)].toSorted();
  for (const name of Object.keys(env)) {
    if (name.startsWith("INCIPIT_") && !known.includes(name))
      throw new ConfigError(`The variable "${name}" is unknown${suggestion(name, known)}`);
  }
  return settings.flatMap(({ path, variable, flag, read = (text) => text }) => {
    const fromFlag = flag === undefined ? undefined : flags[flag];
    const text = fromFlag ?? env[variable];
    if (text === undefined) return [];
    return [{ path, value: read(text), origin: fromFlag === undefined ? variable : `--${flag}` }];
  });
}
