import { expect, test } from "bun:test";
import { isLoopbackAddress, isPublicAddress } from "./network-address.ts";

test("isPublicAddress tells addresses of the internet", () => {
  for (const address of [
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "169.253.0.1",
    "223.255.255.255",
    "2606:4700::1111",
    "2001:4860:4860::8888",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
  ])
    expect({ address, isPublic: isPublicAddress(address) }).toEqual({ address, isPublic: true });
});

test("isPublicAddress tells addresses of this machine, of private networks and of nobody", () => {
  for (const address of [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.127.255.255",
    "224.0.0.1",
    "239.255.255.255",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "febf::1",
    "fec0::1",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "0:0:0:0:0:ffff:c0a8:101",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "64:ff9b::10.0.0.1",
    "2002:a00:1::1",
    "2001::1",
    "",
    "localhost",
    "127.1",
  ])
    expect({ address, isPublic: isPublicAddress(address) }).toEqual({ address, isPublic: false });
});

test("isLoopbackAddress tells addresses of this machine, however they are written", () => {
  const addresses = [
    "127.0.0.1",
    "127.9.9.9",
    "::1",
    "0:0:0:0:0:0:0:1",
    "::ffff:127.0.0.1",
    "128.0.0.1",
    "::2",
    "10.0.0.1",
  ];

  expect(addresses.filter(isLoopbackAddress)).toEqual(addresses.slice(0, 5));
});
