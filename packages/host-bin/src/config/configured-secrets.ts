import { type Configured, secretsOfProxies } from "@incipit/host/configuration";
import { urlKeys } from "@incipit/redaction";

export function configuredSecrets(
  configured: Configured,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const named = configured.secretVariables().flatMap((name) => env[name] ?? []);
  const addresses = configured.endpoints().map(({ url }) => url);
  return [...named, ...secretsOfProxies(configured, env), ...addresses.flatMap(urlKeys)];
}
