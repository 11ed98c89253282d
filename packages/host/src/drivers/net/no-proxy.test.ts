import { expect, test } from "bun:test";
import { endpointOf } from "./network-address.ts";
import { NoProxy } from "./proxies.ts";

const cases: readonly (readonly [list: string, without: readonly string[], over: readonly string[]])[] = [
  ["", [], ["http://acme.dev/", "http://8.8.8.8/"]],
  ["*", ["http://acme.dev/", "https://8.8.8.8/", "http://[2606:4700::1]/"], []],
  ["acme.dev, * ", ["http://other.test/"], []],
  [
    "acme.dev",
    ["http://acme.dev/", "https://acme.dev:8443/", "http://api.acme.dev/", "http://ACME.dev./"],
    ["http://notacme.dev/", "http://acme.dev.evil.test/", "http://dev/"],
  ],
  [".acme.dev", ["http://acme.dev/", "http://a.b.acme.dev/"], ["http://notacme.dev/"]],
  ["*.acme.dev", ["http://api.acme.dev/"], ["http://notacme.dev/"]],
  ["ACME.DEV.", ["http://api.acme.dev/"], ["http://acme.devo/"]],
  ["acme.dev:8443", ["https://acme.dev:8443/", "http://api.acme.dev:8443/"], ["https://acme.dev/"]],
  ["acme.dev:443", ["https://acme.dev/"], ["http://acme.dev/", "https://acme.dev:8443/"]],
  ["acme.dev:80", ["http://acme.dev/"], ["https://acme.dev/"]],
  [
    "one.test,two.test  three.test,,\tfour.test",
    ["http://one.test/", "http://two.test/", "http://three.test/", "http://four.test/"],
    ["http://five.test/"],
  ],
  [
    "8.8.8.8",
    ["http://8.8.8.8/", "http://8.8.8.8:8080/", "http://0x08080808/"],
    ["http://8.8.8.9/", "http://1.8.8.8.8.test/"],
  ],
  ["8.8.8.8:8080", ["http://8.8.8.8:8080/"], ["http://8.8.8.8/"]],
  ["8.8.0.0/16", ["http://8.8.0.0/", "http://8.8.255.255:99/"], ["http://8.9.0.0/", "http://8.7.255.255/"]],
  ["0.0.0.0/0", ["http://8.8.8.8/"], ["http://acme.dev/", "http://[2606:4700::1]/"]],
  ["8.8.8.8/32", ["http://8.8.8.8/"], ["http://8.8.8.9/"]],
  ["2606:4700::/32", ["http://[2606:4700:1::2]/"], ["http://[2606:4701::1]/", "http://8.8.8.8/"]],
  ["2606:4700::1/128", ["http://[2606:4700::1]/"], ["http://[2606:4700::2]/"]],
  ["2606:4700:0::1", ["http://[2606:4700::1]/", "http://[2606:4700::1]:81/"], ["http://[2606:4700::2]/"]],
  ["[2606:4700::1]:80", ["http://[2606:4700::1]/"], ["https://[2606:4700::1]/"]],
  [
    "8.8.8.8/33 2606:4700::/129 /8 8.8.8.8/ 8.8/16 http://acme.dev ] a b%",
    [],
    ["http://8.8.8.8/", "http://acme.dev/"],
  ],
];

for (const [list, without, over] of cases)
  test(`NoProxy of ${JSON.stringify(list)} matches like curl, Go, Python and git`, () => {
    const exceptions = new NoProxy([list]);
    for (const url of without)
      expect({ url, matches: exceptions.matches(endpointOf(new URL(url))) }).toEqual({ url, matches: true });
    for (const url of over)
      expect({ url, matches: exceptions.matches(endpointOf(new URL(url))) }).toEqual({ url, matches: false });
  });
