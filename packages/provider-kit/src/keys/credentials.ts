import { KernelError, type Environment } from "@incipit/kernel";
import { configuredModel, type Endpoint } from "../vendor/endpoint.ts";
import type { EndpointVendor } from "../vendor/endpoint-vendor.ts";

export type Credentials =
  | {
      readonly kind: "ready";
      readonly baseUrl: string;
      readonly key: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: "missing"; readonly problem: string };

export interface CredentialsOptions {
  readonly provider: string;
  readonly endpoint: Endpoint;
  readonly vendor: Pick<EndpointVendor, "url" | "keyVariable">;
  readonly env: Environment;
  readonly model?: string;
}

/** Reads the address, key and headers of an endpoint. Called for each request, so that keys are not kept in memory. */
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

/**
 * Returns the value without surrounding whitespace, since secrets read from files end in a line break; `""` if unset.
 */
function valueOf(env: Environment, variable: string): string {
  return env.get(variable)?.trim() ?? "";
}
