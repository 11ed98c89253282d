export { endpointOf } from "./drivers/net/endpoint.ts";
export { literalAddress } from "./drivers/net/literal-address.ts";
export type { ConfiguredProxies } from "./drivers/net/proxies.ts";
export { isLocalHost, proxySecrets } from "./drivers/net/proxy-choice.ts";
