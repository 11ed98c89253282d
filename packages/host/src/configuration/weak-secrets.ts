import { whyNoSecret } from "@incipit/redaction";
import type { Configured } from "./configured.ts";

/**
 * Variables that are configured for keys and tokens, and hold what is not left out of records and logs, each with the reason.
 * What programs of tool servers get in their environment may be anything, and is not named.
 */
export function weakSecrets(
  configured: Configured,
  env: Readonly<Record<string, string | undefined>>,
): readonly { readonly variable: string; readonly why: string }[] {
  const named = configured.variables().filter(({ holds }) => holds !== "anything");
  return [...new Set(named.map(({ name }) => name))].flatMap((variable) => {
    const value = env[variable] ?? "";
    const why = value === "" ? undefined : whyNoSecret(value);
    return why === undefined ? [] : [{ variable, why }];
  });
}
