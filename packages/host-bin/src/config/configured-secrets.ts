import { type Configured, secretsOfProxies } from "@incipit/host/configuration";
import { urlKeys } from "@incipit/redaction";

/**
 * Values that must be neither kept nor shown: what the variables hold that the configuration names for secrets, proxies'
 * passwords, and keys in configured addresses.
 */
export function configuredSecrets(
  configured: Configured,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const named = configured.secretVariables().flatMap((name) => env[name] ?? []);
  const addresses = configured.endpoints().map(({ url }) => url);
  return [...named, ...secretsOfProxies(configured, env), ...addresses.flatMap(urlKeys)];
}
