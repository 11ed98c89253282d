import type { NeededEndpoint } from "@incipit/kernel";
import { type Config, isTable, valueAt } from "@incipit/host/configuration";

export function providerHeaders(
  { path, variables }: Pick<NeededEndpoint, "path" | "variables">,
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const entry = valueAt(config, path);
  const table = tableOf(entry);
  const headers = new Map<string, string>();
  const key = variables.find(({ holds }) => holds === "key");
  const value = key === undefined ? "" : (env[key.name] ?? "").trim();
  if (value !== "") {
    if (table["kind"] === "anthropic") headers.set("x-api-key", value);
    else if (table["kind"] === "google") headers.set("x-goog-api-key", value);
    else headers.set("authorization", `Bearer ${value}`);
  }
  if (table["kind"] === "anthropic") headers.set("anthropic-version", "2023-06-01");
  for (const [name, text] of Object.entries(tableOf(table["extra_headers"])))
    if (typeof text === "string") headers.set(name, text);
  for (const [name, variable] of Object.entries(tableOf(table["extra_headers_env"])))
    if (typeof variable === "string") headers.set(name, (env[variable] ?? "").trim());
  return Object.fromEntries(headers);
}

function tableOf(value: unknown): Readonly<Record<string, unknown>> {
  return isTable(value) ? value : {};
}
