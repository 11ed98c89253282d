/** https://www.iana.org/assignments/iana-ipv4-special-registry */
const special = [
  ["0.0.0.0", 8], // this host
  ["10.0.0.0", 8], // RFC 1918
  ["100.64.0.0", 10], // carrier-grade NAT
  ["127.0.0.0", 8], // loopback
  ["169.254.0.0", 16], // link-local, where clouds serve credentials
  ["172.16.0.0", 12], // RFC 1918
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // former 6to4 relays
  ["192.168.0.0", 16], // RFC 1918
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, including broadcast
] as const;

const networks = special.map(([address, bits]) => ({ bits, network: numberOf(address) >>> (32 - bits) }));

export function isPublicAddress(address: string): boolean {
  if (isIpv4(address)) return !isSpecial(numberOf(address));
  const groups = groupsOf(address);
  if (groups === undefined) return false;
  const embedded = embeddedIpv4(groups);
  if (embedded !== undefined) return !isSpecial(embedded);
  const [first = 0, second = 0] = groups;
  // Global unicast; loopback, link-local, RFC 4193 and multicast are outside.
  if (first < 0x2000 || first > 0x3fff) return false;
  // Protocol assignments, including Teredo, which hides an address; and two documentation networks.
  if (first === 0x2001) return second >= 0x200 && second !== 0xdb8;
  return !(first === 0x3fff && second < 0x1000);
}

export function isLoopbackAddress(address: string): boolean {
  if (isIpv4(address)) return address.startsWith("127.");
  const groups = groupsOf(address);
  if (groups === undefined) return false;
  return groups.every((group, index) => group === (index === 7 ? 1 : 0)) || isMappedLoopback(groups);
}

/** `node:net` takes several milliseconds to load. */
function isIpv4(address: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(address);
}

function isSpecial(ipv4: number): boolean {
  return networks.some(({ bits, network }) => ipv4 >>> (32 - bits) === network);
}

function numberOf(ipv4: string): number {
  return ipv4.split(".").reduce((number, part) => ((number << 8) | Number(part)) >>> 0, 0);
}

function isMappedLoopback(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff && (groups[6] ?? 0) >> 8 === 127;
}

function groupsOf(address: string): readonly number[] | undefined {
  const bare = address.replace(/%.*$/, "");
  if (!/^[0-9a-f:.]+$/i.test(bare) || !URL.canParse(`http://[${bare}]/`)) return undefined;
  const normal = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const [head = "", tail] = normal.split("::");
  const left = numbersOf(head);
  const right = numbersOf(tail ?? "");
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

function numbersOf(part: string): readonly number[] {
  return part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
}

/** The last or second 32 bits, if packets are delivered to that address. */
function embeddedIpv4(groups: readonly number[]): number | undefined {
  const [first, second = 0, third = 0] = groups;
  const [high = 0, low = 0] = groups.slice(6);
  const isZero = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  const isMapped = isZero(0, 5) && groups[5] === 0xffff;
  const isTranslated = first === 0x64 && second === 0xff9b && isZero(2, 6);
  if (isMapped || isTranslated) return high * 0x10000 + low;
  return first === 0x2002 ? second * 0x10000 + third : undefined;
}

/** `URL.hostname` normalizes IPv4 to four numbers and puts IPv6 in brackets. */
export function literalAddress(host: string): string | undefined {
  if (host.startsWith("[")) return host.slice(1, -1);
  return /^\d+(\.\d+){3}$/.test(host) ? host : undefined;
}

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
