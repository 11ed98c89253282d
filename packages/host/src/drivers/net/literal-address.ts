/** `URL.hostname` normalizes IPv4 to four numbers and puts IPv6 in brackets. */
export function literalAddress(host: string): string | undefined {
  if (host.startsWith("[")) return host.slice(1, -1);
  return /^\d+(\.\d+){3}$/.test(host) ? host : undefined;
}
