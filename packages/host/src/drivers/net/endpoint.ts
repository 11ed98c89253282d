export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export function endpointOf(url: URL): Endpoint {
  const standard = isEncrypted(url) ? 443 : 80;
  return { host: url.hostname, port: url.port === "" ? standard : Number(url.port) };
}

export function isEncrypted({ protocol }: URL): boolean {
  return protocol === "https:" || protocol === "wss:";
}
