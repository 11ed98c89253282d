import { expect, test } from "bun:test";
import { isIP } from "node:net";
import fc from "fast-check";
import { isLoopbackAddress, isPublicAddress } from "./network-address.ts";

const edges = [
  ["0.0.0.0", "0.255.255.255", "1.0.0.0"],
  ["10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  ["192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
  ["192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
  ["203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
  ["224.0.0.0", "255.255.255.255", "223.255.255.255"],
  ["::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"],
  ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff::", "2001:200::"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7:ffff::", "2001:db9::"],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffe:ffff::", "3fff:1000::"],
  ["4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:ffff::"],
] as const;

test("isPublicAddress knows the exact bounds of each non-public network", () => {
  for (const [first, last, ...beside] of edges) {
    expect({ first, isPublic: isPublicAddress(first) }).toEqual({ first, isPublic: false });
    expect({ last, isPublic: isPublicAddress(last) }).toEqual({ last, isPublic: false });
    for (const address of beside)
      expect({ address, isPublic: isPublicAddress(address) }).toEqual({ address, isPublic: true });
  }
});

/** IPv6 forms that deliver packets to an embedded IPv4 address. */
const carriers: readonly ((ipv4: string, hex: string) => string)[] = [
  (ipv4) => `::ffff:${ipv4}`,
  (_, hex) => `::ffff:${hex}`,
  (ipv4) => `::FFFF:${ipv4}`,
  (ipv4) => `0:0:0:0:0:ffff:${ipv4}`,
  (ipv4) => `0000:0000:0000:0000:0000:ffff:${ipv4}`,
  (ipv4) => `64:ff9b::${ipv4}`,
  (_, hex) => `64:ff9b::${hex}`,
  (_, hex) => `2002:${hex}::`,
  (_, hex) => `2002:${hex}::1`,
];

test("[attack:network-address-in-address] isPublicAddress checks the IPv4 address embedded in an IPv6 one", () => {
  for (const carry of carriers)
    for (const [ipv4, hex, isPublic] of [
      ["8.8.8.8", "808:808", true],
      ["127.0.0.1", "7f00:1", false],
      ["10.0.0.1", "a00:1", false],
      ["169.254.169.254", "a9fe:a9fe", false],
      ["192.0.2.1", "c000:201", false],
      ["198.18.0.1", "c612:1", false],
    ] as const) {
      const address = carry(ipv4, hex);
      expect({ address, isPublic: isPublicAddress(address) }).toEqual({ address, isPublic });
    }
});

test("[attack:network-address-look-alike] isPublicAddress rejects private addresses that resemble mapped ones", () => {
  for (const address of [
    "fd00::ffff:8.8.8.8", // private network; only ends like a mapped address
    "fc00::ffff:808:808",
    "fe80::ffff:8.8.8.8",
    "fe80::ffff:8.8.8.8%eth0",
    "1::ffff:8.8.8.8",
    "0:0:0:0:1:ffff:8.8.8.8",
    "::fffe:8.8.8.8",
    "::8.8.8.8", // "IPv4-compatible", not routed
    "::ffff:0:8.8.8.8", // IPv4-translated, for use inside a network
    "64:ff9b:1::8.8.8.8", // network-specific translation prefix
    "64:ff9b:0:0:0:1:8.8.8.8",
    "64:ff9c::8.8.8.8",
    "65:ff9b::8.8.8.8",
    "2001:0:808:808::1", // Teredo: hides the real target
    "fd02:808:808::",
  ])
    expect({ address, isPublic: isPublicAddress(address) }).toEqual({ address, isPublic: false });
  // Control: the same endings in a real mapping or without meaning.
  for (const address of ["::ffff:8.8.8.8", "2606:4700::ffff:8.8.8.8", "2606:4700::ffff:10.0.0.1"])
    expect({ address, isPublic: isPublicAddress(address) }).toEqual({ address, isPublic: true });
});

test("isPublicAddress rejects text that is not an IP address", () => {
  for (const text of [
    "",
    " ",
    "localhost",
    "8.8.8",
    "8.8.8.8.",
    "8.8.8.8.8",
    "8.8.8.256",
    "08.8.8.8",
    "8.8.8.8/8",
    "8.8.8.8:80",
    "0x08080808",
    "134744072",
    "[2606:4700::1]",
    "2606:4700:::1",
    "2606:4700::1::2",
    "2606:4700::g",
    "2606:4700::1/64",
    "2606:4700::1]:80/?[",
  ])
    expect({ text, isPublic: isPublicAddress(text) }).toEqual({ text, isPublic: false });
});

test("isPublicAddress accepts only addresses that Node accepts", () => {
  const part = fc.oneof(fc.nat(300).map(String), fc.constantFrom("", "00", "1e1", "+1", " 1"));
  fc.assert(
    fc.property(fc.array(part, { minLength: 3, maxLength: 5 }), (parts) => {
      const text = parts.join(".");
      if (isPublicAddress(text)) expect(isIP(text)).toBe(4);
    }),
  );
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      if (isPublicAddress(text)) expect(isIP(text)).toBe(6);
    }),
  );
});

test("isLoopbackAddress recognizes every spelling of a loopback address", () => {
  for (const address of ["127.0.0.1", "127.9.9.9", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:7fff:1"])
    expect({ address, isLoopback: isLoopbackAddress(address) }).toEqual({ address, isLoopback: true });
  for (const address of [
    "128.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "::",
    "::2",
    "1::1",
    "::ffff:128.0.0.1",
    "::ffff:1.127.0.0",
    "::1:ffff:127.0.0.1",
    "fd00::ffff:127.0.0.1",
    "::fffe:127.0.0.1",
    "localhost",
    "127.1",
    "",
  ])
    expect({ address, isLoopback: isLoopbackAddress(address) }).toEqual({ address, isLoopback: false });
});
