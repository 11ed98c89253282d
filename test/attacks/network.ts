import type { Attack } from "./attacks.ts";

export const networkAttacks = {
  "network-proxy-token": {
    tries: "the environment names a proxy while a command talks to the host of this machine",
    seen: "the proxy is asked for nothing: neither the host's token nor the message goes through it",
  },
  "network-proxy-local-provider": {
    tries: "the environment names a proxy while a provider at 127.0.0.1 is called with a key",
    seen: "the request goes to the provider itself, and the proxy sees no key",
  },
  "network-proxy-local-names": {
    tries: "this machine and its network are written in every way that a URL takes, with a proxy for everything",
    seen: "no proxy is asked for any of them, whatever is configured",
  },
  "network-proxy-private-name": {
    tries: "a name leads to this machine or into its network, or also there, with a proxy for everything",
    seen: "the request goes to the address that was judged and granted, or nowhere; the proxy is asked for nothing",
  },
  "network-proxy-redirect-home": {
    tries: "a host that is reached over a proxy sends the request on to this machine",
    seen: "the grant is asked again, and the proxy is not asked",
  },
  "network-proxy-unusable": {
    tries: "the environment or the configuration names a proxy that cannot be used, with a password in it",
    seen: "the request fails and says why without the password, and goes to nobody past the proxy",
  },
  "network-proxy-password": {
    tries: "a proxy of the environment refuses, or does not answer, and its URL has a password",
    seen: "the failure names the proxy and who named it, and nothing of it has the password",
  },
  "network-proxy-no-proxy-of-bun": {
    tries: "the runtime's own reading of NO_PROXY would connect past the proxy, to an address that nobody judged",
    seen: "the driver's choice holds: the request goes over the proxy",
  },
  "network-socket-not-granted": {
    tries:
      "an extension opens a socket to a host that it was not granted, or to a name that leads into a private network",
    seen: "it is refused as a request is, and no connection is made",
  },
  "network-socket-past-proxy": {
    tries: "the runtime's own reading of NO_PROXY would open a socket past the proxy",
    seen: "the socket is refused, and the refusal says which variable is in the way",
  },
  "network-tls-variables": {
    tries:
      "a folder's .env has what makes any certificate do: NODE_TLS_REJECT_UNAUTHORIZED, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE",
    seen: "the vendor's certificate is refused as ever, and no key is sent; in the real environment each counts",
  },
  "network-address-in-address": {
    tries: "a private IPv4 address is carried in an IPv6 one: mapped, translated, 6to4",
    seen: "it is judged by the address that packets end up at",
  },
  "network-address-look-alike": {
    tries: "an address of a private network ends as one that carries a public address does",
    seen: "it is no public address",
  },
} as const satisfies Record<string, Attack>;
