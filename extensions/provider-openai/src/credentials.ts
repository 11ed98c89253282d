import { KernelError, type Environment } from "@incipit/kernel";
import type { Endpoint } from "./settings.ts";

/** The variable that holds a vendor's key where the configuration names none. */
const usualVariable = {
  openai: "OPENAI_API_KEY",
  deepseek: "DEEPSEEK_API_KEY",
  "openai-compatible": undefined,
} as const;

export type Credentials =
  /** `key` absent: the endpoint takes none. */
  | { readonly kind: "ready"; readonly key: string | undefined }
  | { readonly kind: "missing"; readonly problem: string };

export interface CredentialsOptions {
  /** The name before the slash. */
  readonly provider: string;
  readonly endpoint: Endpoint;
  readonly env: Environment;
}

/** Reads the key anew each time, so that it is not kept. Never throws. */
export function readCredentials({ provider, endpoint, env }: CredentialsOptions): Credentials {
  const { kind, baseUrl } = endpoint;
  if (kind === "openai-compatible" && baseUrl === undefined)
    return { kind: "missing", problem: `set base_url in [providers.${provider}]` };
  const variable = endpoint.apiKeyEnv ?? usualVariable[kind];
  if (variable === undefined) return { kind: "ready", key: undefined };
  try {
    const key = env.get(variable)?.trim() ?? ""; // A line break at the end, as files give it, is no part of a key.
    if (key !== "") return { kind: "ready", key };
    const problem = `set ${variable} to the key of "${provider}", and start the host again`;
    return { kind: "missing", problem };
  } catch (error) {
    if (KernelError.is(error)) return { kind: "missing", problem: error.message };
    throw error;
  }
}
