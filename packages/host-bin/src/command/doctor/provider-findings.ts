import type { Extension, NeededEndpoint } from "@incipit/kernel";
import { weakSecrets } from "@incipit/host";
import { type Config, Configured, placeOfKey, proxiesOf } from "@incipit/host/configuration";
import { createNet, systemClock } from "@incipit/host/drivers";
import { coreSchema } from "../../config/core-schema.ts";
import { knownVendors } from "../../config/known-providers.ts";
import { providerHeaders } from "../../config/provider-headers.ts";
import type { Finding } from "./finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const answerTimeoutMs = 5_000;

interface Endpoint extends NeededEndpoint {
  readonly extension: Extension;
  readonly name: string;
  readonly place: string | undefined;
}

export interface ProviderFindingsOptions {
  readonly env: Environment;
  readonly hasFile: boolean;
}

/** Sends no request that costs money. */
export async function providerFindings(
  config: Config,
  { env, hasFile }: ProviderFindingsOptions,
): Promise<readonly Finding[]> {
  const configured = new Configured(config, coreSchema.extensions);
  const endpoints = coreSchema.extensions.flatMap((extension) =>
    (configured.needs(extension).endpoints ?? []).flatMap((endpoint): readonly Endpoint[] => {
      const [table, ...rest] = endpoint.path;
      if (table !== "providers" && table !== "mcp") return [];
      const place = hasFile ? placeOfKey(endpoint.path, config) : undefined;
      return [{ ...endpoint, extension, name: rest.at(-1) ?? "", place }];
    }),
  );
  const providers = endpoints.filter(({ path: [table] }) => table === "providers");
  const reached = await Promise.all(endpoints.map((endpoint) => reach(endpoint, { configured, env })));
  const keys = providers.flatMap((endpoint) => keyFindings(endpoint, env));
  const weak = weakSecrets(configured, env).map(({ variable, why }): Finding => ({
    check: "keys",
    status: "wrong",
    what: `what ${variable} holds is too plain to be a key (${why}), so records and logs keep it`,
    where: variable,
    fix: `export ${variable}=…, with the whole key`,
  }));
  return [...(providers.length === 0 && !hasFile ? [noKey] : keys), ...weak, ...reached.flat()];
}

const noKey: Finding = {
  check: "keys",
  status: "note",
  what: "no key of a vendor is set, so no real model can be asked; a program of this machine needs none",
  fix: "incipit setup",
};

function keyFindings({ name, variables, place }: Endpoint, env: Environment): readonly Finding[] {
  return variables.map(({ name: variable }): Finding => {
    if (isSet(variable, env)) return { check: "keys", status: "ok", what: `${variable} is set, for "${name}"` };
    const page = knownVendors.find(({ keyVariables }) => keyVariables.includes(variable))?.page;
    return {
      check: "keys",
      status: "wrong",
      what: `${variable} is not set: "${name}" cannot be asked`,
      where: place,
      fix: `export ${variable}=…${page === undefined ? "" : ` (get a key at ${page})`}`,
    };
  });
}

function isSet(variable: string, env: Environment): boolean {
  return (env[variable] ?? "").trim() !== "";
}

interface ReachOptions {
  readonly configured: Configured;
  readonly env: Environment;
}

async function reach(endpoint: Endpoint, { configured, env }: ReachOptions): Promise<readonly Finding[]> {
  const { extension, name, path, url, variables } = endpoint;
  const isProvider = path[0] === "providers";
  const unset = variables.find(({ name: variable }) => !isSet(variable, env));
  if (isProvider && unset !== undefined) return [];
  const check = isProvider ? "providers" : "mcp";
  const address = isProvider ? `${url.replace(/\/+$/, "")}/models` : url;
  const { net: grant = [] } = configured.grant(extension);
  const proxies = proxiesOf(configured, extension.manifest.id);
  const net = createNet("doctor", grant, systemClock, { env, proxies });
  try {
    const headers = isProvider ? providerHeaders(endpoint, configured.config, env) : {};
    const response = await net.fetch(address, { headers, signal: AbortSignal.timeout(answerTimeoutMs) });
    void response.body?.cancel();
    return [answered(endpoint, { check, address, status: response.status })];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      {
        check,
        status: "wrong",
        what: `"${name}" cannot be reached: ${why}`,
        ...rest(endpoint, { where: address, env }),
      },
    ];
  }
}

function rest(
  { path, name, place }: Endpoint,
  { where, env }: { readonly where: string; readonly env: Environment },
): Pick<Finding, "where" | "fix"> {
  const vendor = path[0] === "providers" ? knownVendors.find((known) => known.name === name) : undefined;
  const start = vendor?.start;
  const variable = vendor?.address?.variable;
  const source = place ?? (variable !== undefined && isSet(variable, env) ? variable : "default");
  const at = source === "default" ? "" : ` (${source})`;
  return { where, fix: start ?? `check the address${at}, the network, and HTTPS_PROXY; then: incipit doctor` };
}

interface Answer {
  readonly check: "providers" | "mcp";
  readonly address: string;
  readonly status: number;
}

function answered(endpoint: Endpoint, { check, address: where, status }: Answer): Finding {
  const { name, variables } = endpoint;
  const [key] = variables;
  if (check === "mcp") return { check, status: "ok", what: `"${name}" answers (${status})`, where };
  if (status === 401 || status === 403) {
    const variable = key?.name;
    const page = knownVendors.find(({ keyVariables }) => keyVariables.includes(variable ?? ""))?.page;
    const what =
      variable === undefined
        ? `"${name}" answers ${status}: it wants a key, and no variable is named for one`
        : `"${name}" answers ${status}: it refuses the key in ${variable}`;
    const fix =
      variable === undefined
        ? `write api_key_env into [providers.${name}]`
        : `export ${variable}=…, with a key that is good${page === undefined ? "" : ` (${page})`}`;
    return { check, status: "wrong", what, where, fix };
  }
  if (status >= 300 && status < 400)
    return {
      check,
      status: "wrong",
      what: `"${name}" leads elsewhere (${status}), and redirects are not followed`,
      where,
      fix: `write the address that it leads to as base_url in [providers.${name}]`,
    };
  if (status === 404 || status === 405)
    return { check, status: "note", what: `"${name}" answers, and lists no models (${status})`, where };
  if (status >= 400)
    return {
      check,
      status: "note",
      what: `"${name}" answers ${status}; it may be busy`,
      where,
      fix: "incipit doctor",
    };
  return { check, status: "ok", what: `"${name}" answers`, where };
}
