/**
 * The address that a host is, when it is no name; the host is as `URL.hostname` has it, which writes every IPv4 address as
 * four numbers and every IPv6 address in brackets.
 */
export function literalAddress(host: string): string | undefined {
  if (host.startsWith("[")) return host.slice(1, -1);
  return /^\d+(\.\d+){3}$/.test(host) ? host : undefined;
}
