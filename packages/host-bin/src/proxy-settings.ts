import type { Config } from "./config/config-schema.ts";
import { type ConfiguredProxies, endpointOf, isLocalHost, proxySecrets } from "@incipit/host/addresses";
import { endpointExtension, endpointUrl } from "./provider-settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy that the configuration names for one endpoint. */
interface EndpointProxy {
  readonly path: readonly string[];
  readonly extension: string;
  /** `host:port`, as the net driver asks for it. */
  readonly endpoint: string;
  readonly isLocal: boolean;
  /** `undefined`: as everywhere. */
  readonly proxy: string | undefined;
}

/** What the operator said of proxies for the requests of one extension. */
export function proxiesOf(config: Config, extension: string): ConfiguredProxies {
  const { proxy, no_proxy: exceptions } = config.network;
  const endpoints = new Map(
    endpointProxies(config).flatMap(({ endpoint, proxy: own, extension: of }) =>
      own === undefined || of !== extension ? [] : [[endpoint, own]],
    ),
  );
  return {
    ...(proxy === undefined ? {} : { everywhere: proxy }),
    ...(exceptions === undefined ? {} : { exceptions }),
    ...(endpoints.size === 0 ? {} : { endpoints }),
  };
}

/** Proxies that could not do what is written: with their keys, and why. */
export function proxyProblems(
  config: Config,
): readonly { readonly path: readonly string[]; readonly message: string }[] {
  const known = new Map<string, EndpointProxy>();
  return endpointProxies(config).flatMap((one) => {
    if (one.isLocal && one.proxy !== undefined && one.proxy !== "none")
      return [
        { path: one.path, message: `does nothing: "${one.endpoint}" is never reached over a proxy; take it out` },
      ];
    const key = `${one.extension} ${one.endpoint}`;
    const other = known.get(key);
    known.set(key, one);
    if (other === undefined || other.proxy === one.proxy) return [];
    const message = `differs from "${other.path.join(".")}", which has the same address ("${one.endpoint}"); name the same in both`;
    return [{ path: one.path, message }];
  });
}

/** Variables that hold the URL of a proxy with a password in it. */
export function variablesOfProxies(config: Config, env: Environment): readonly string[] {
  const chosen = [config.network.proxy, ...endpointProxies(config).map(({ proxy }) => proxy)];
  const named = chosen.flatMap((choice) =>
    choice?.startsWith("env:") === true ? choice.slice("env:".length) : [],
  );
  const usual = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return [...new Set([...usual, ...named])].filter((name) => proxySecrets(env[name] ?? "").length > 0);
}

/** Passwords of proxies: they are in variables of the environment alone. */
export function secretsOfProxies(config: Config, env: Environment): readonly string[] {
  return variablesOfProxies(config, env).flatMap((name) => proxySecrets(env[name] ?? ""));
}

function endpointProxies(config: Config): readonly EndpointProxy[] {
  const providers = Object.entries(config.providers).map(([name, provider]) => ({
    path: ["providers", name, "proxy"],
    extension: endpointExtension(provider),
    url: endpointUrl(provider),
    proxy: provider.proxy,
  }));
  const servers = Object.entries(config.mcp.servers).map(([name, { url, proxy }]) => ({
    path: ["mcp", "servers", name, "proxy"],
    extension: "mcp-tools",
    url,
    proxy,
  }));
  const { otlp_url: url, proxy } = config.telemetry;
  const telemetry = { path: ["telemetry", "proxy"], extension: "telemetry-otlp", url, proxy };
  return [...providers, ...servers, telemetry].flatMap((one) => {
    if (one.extension === undefined || one.url === undefined) return [];
    const { host, port } = endpointOf(new URL(one.url));
    const endpoint = `${host}:${port}`;
    return [{ path: one.path, extension: one.extension, endpoint, isLocal: isLocalHost(host), proxy: one.proxy }];
  });
}
