import { KernelError, type Environment } from "@incipit/kernel";
import { configuredModel } from "./configured-model.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EndpointVendor } from "./endpoint-vendor.ts";

export type Credentials =
  /** `key` absent: the endpoint takes none. */
  | {
      readonly kind: "ready";
      readonly baseUrl: string;
      readonly key: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: "missing"; readonly problem: string };

export interface CredentialsOptions {
  /** The name before the slash. */
  readonly provider: string;
  readonly endpoint: Endpoint;
  readonly vendor: Pick<EndpointVendor, "url" | "keyVariable">;
  readonly env: Environment;
  /** The one that is called; absent: none yet. */
  readonly model?: string;
}

/** Reads the key anew each time, so that it is not kept. Never throws. */
export function readCredentials({ provider, endpoint, vendor, env, model }: CredentialsOptions): Credentials {
  const baseUrl = endpoint.baseUrl ?? vendor.url;
  if (baseUrl === undefined) return { kind: "missing", problem: `set base_url in [providers.${provider}]` };
  const variable = endpoint.apiKeyEnv ?? vendor.keyVariable;
  const extra = [endpoint, ...(model === undefined ? [] : [configuredModel(endpoint, model)])];
  try {
    const key = variable === undefined ? undefined : valueOf(env, variable);
    if (key === "")
      return { kind: "missing", problem: `set ${variable} to the key of "${provider}" where the host is started` };
    const headers = new Map(extra.flatMap((each) => Object.entries(each?.extraHeaders ?? {})));
    for (const [name, secret] of extra.flatMap((each) => Object.entries(each?.extraHeadersEnv ?? {}))) {
      const value = valueOf(env, secret);
      if (value === "") {
        const problem = `set ${secret} to the header "${name}" of "${provider}" where the host is started`;
        return { kind: "missing", problem };
      }
      headers.set(name, value);
    }
    return { kind: "ready", baseUrl, key, headers: Object.fromEntries(headers) };
  } catch (error) {
    if (KernelError.is(error)) return { kind: "missing", problem: error.message };
    throw error;
  }
}

/** A line break at the end, as files give it, is no part of a secret. `""`: there is none. */
function valueOf(env: Environment, variable: string): string {
  return env.get(variable)?.trim() ?? "";
}
