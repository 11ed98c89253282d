import type { Configured } from "./configured.ts";
import { endpointOf } from "../drivers/net/network-address.ts";
import { type ConfiguredProxies, isLocalHost, proxySecrets } from "../drivers/net/proxies.ts";

type Environment = Readonly<Record<string, string | undefined>>;

interface EndpointProxy {
  readonly path: readonly string[];
  readonly extension: string;
  /** `host:port`, as the net driver looks it up. */
  readonly endpoint: string;
  readonly isLocal: boolean;
  readonly proxy: string | undefined;
}

export function proxiesOf(configured: Configured, extension: string): ConfiguredProxies {
  const { proxy, no_proxy: exceptions } = configured.config.network;
  const endpoints = new Map(
    endpointProxies(configured).flatMap(({ endpoint, proxy: own, extension: of }) =>
      own === undefined || of !== extension ? [] : [[endpoint, own]],
    ),
  );
  return {
    ...(proxy === undefined ? {} : { everywhere: proxy }),
    ...(exceptions === undefined ? {} : { exceptions }),
    ...(endpoints.size === 0 ? {} : { endpoints }),
  };
}

export function proxyProblems(
  configured: Configured,
): readonly { readonly path: readonly string[]; readonly message: string }[] {
  const known = new Map<string, EndpointProxy>();
  return endpointProxies(configured).flatMap((one) => {
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

/** Returns the variables that contain a proxy URL with a password. */
export function variablesOfProxies(configured: Configured, env: Environment): readonly string[] {
  const chosen = [configured.config.network.proxy, ...endpointProxies(configured).map(({ proxy }) => proxy)];
  const named = chosen.flatMap((choice) =>
    choice?.startsWith("env:") === true ? choice.slice("env:".length) : [],
  );
  const usual = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return [...new Set([...usual, ...named])].filter((name) => proxySecrets(env[name] ?? "").length > 0);
}

/** Returns the passwords of proxies, which only environment variables may contain. */
export function secretsOfProxies(configured: Configured, env: Environment): readonly string[] {
  return variablesOfProxies(configured, env).flatMap((name) => proxySecrets(env[name] ?? ""));
}

function endpointProxies(configured: Configured): readonly EndpointProxy[] {
  return configured.endpoints().map(({ path, extension, url, proxy }) => {
    const { host, port } = endpointOf(new URL(url));
    return { path: [...path, "proxy"], extension, endpoint: `${host}:${port}`, isLocal: isLocalHost(host), proxy };
  });
}
