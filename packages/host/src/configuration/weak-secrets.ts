import { ignoredSecretReason } from "@incipit/redaction";
import type { Configured } from "./configured.ts";

/** Values too weak to redact. Variables of MCP server programs may hold anything and are not listed. */
export function weakSecrets(
  configured: Configured,
  env: Readonly<Record<string, string | undefined>>,
): readonly { readonly variable: string; readonly why: string }[] {
  const named = configured.variables().filter(({ holds }) => holds !== "anything");
  return [...new Set(named.map(({ name }) => name))].flatMap((variable) => {
    const value = env[variable] ?? "";
    const why = value === "" ? undefined : ignoredSecretReason(value);
    return why === undefined ? [] : [{ variable, why }];
  });
}
