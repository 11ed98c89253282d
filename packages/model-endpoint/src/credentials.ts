import { KernelError, type Environment } from "@incipit/kernel";
import type { Endpoint } from "./endpoint.ts";
import type { EndpointVendor } from "./endpoint-vendor.ts";

export type Credentials =
  /** `key` absent: the endpoint takes none. */
  | { readonly kind: "ready"; readonly baseUrl: string; readonly key: string | undefined }
  | { readonly kind: "missing"; readonly problem: string };

export interface CredentialsOptions {
  /** The name before the slash. */
  readonly provider: string;
  readonly endpoint: Endpoint;
  readonly vendor: Pick<EndpointVendor, "url" | "keyVariable">;
  readonly env: Environment;
}

/** Reads the key anew each time, so that it is not kept. Never throws. */
export function readCredentials({ provider, endpoint, vendor, env }: CredentialsOptions): Credentials {
  const baseUrl = endpoint.baseUrl ?? vendor.url;
  if (baseUrl === undefined) return { kind: "missing", problem: `set base_url in [providers.${provider}]` };
  const variable = endpoint.apiKeyEnv ?? vendor.keyVariable;
  if (variable === undefined) return { kind: "ready", baseUrl, key: undefined };
  try {
    const key = env.get(variable)?.trim() ?? ""; // A line break at the end, as files give it, is no part of a key.
    if (key !== "") return { kind: "ready", baseUrl, key };
    const problem = `set ${variable} to the key of "${provider}", and start the host again`;
    return { kind: "missing", problem };
  } catch (error) {
    if (KernelError.is(error)) return { kind: "missing", problem: error.message };
    throw error;
  }
}
