import { whyNoSecret } from "@incipit/redaction";
import type { Config } from "./config/config-schema.ts";
import { keyVariables } from "./provider-settings.ts";
import { telemetryVariables } from "./telemetry-settings.ts";

/**
 * Variables that are configured for keys and tokens, and hold what is not left out of records and logs, each with the reason.
 * What programs of tool servers get in their environment may be anything, and is not named.
 */
export function weakSecrets(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): readonly { readonly variable: string; readonly why: string }[] {
  const ofServers = Object.values(config.mcp.servers).flatMap(({ token_env: token, headers_env: headers = {} }) => [
    ...(token === undefined ? [] : [token]),
    ...Object.values(headers),
  ]);
  const variables = new Set([...keyVariables(config), ...ofServers, ...telemetryVariables(config)]);
  return [...variables].flatMap((variable) => {
    const value = env[variable] ?? "";
    const why = value === "" ? undefined : whyNoSecret(value);
    return why === undefined ? [] : [{ variable, why }];
  });
}
