import { expect, test } from "bun:test";
import { isHostOf, isNetEntryWithin, parseNetEntry } from "./net-entry.ts";

test("parseNetEntry returns host and port as in a URL, and the private flag", () => {
  expect(
    [
      "API.acme.dev:443",
      "private:nas.lan:80",
      "private:443",
      "[::FFFF:127.0.0.1]:8080",
      "private:[fd00::1]:1",
      "bücher.example:65535",
    ].map(parseNetEntry),
  ).toEqual([
    { host: "api.acme.dev", port: 443, isPrivate: false },
    { host: "nas.lan", port: 80, isPrivate: true },
    { host: "private", port: 443, isPrivate: false },
    { host: "[::ffff:7f00:1]", port: 8080, isPrivate: false },
    { host: "[fd00::1]", port: 1, isPrivate: true },
    { host: "xn--bcher-kva.example", port: 65_535, isPrivate: false },
  ]);
});

test("parseNetEntry returns undefined without a valid host and port", () => {
  for (const entry of [
    "",
    "api.acme.dev",
    ":443",
    "api.acme.dev:0",
    "api.acme.dev:65536",
    "api.acme.dev:443/path",
    "https://api.acme.dev:443",
    "user@api.acme.dev:443",
    "private:private:nas.lan:80",
    "public:nas.lan:80",
    "a b:80",
    "::1:80",
    "[::1]",
    "*.dev:443",
    "*:443",
    "api.*.dev:443",
    "*api.acme.dev:443",
  ])
    expect({ entry, parsed: parseNetEntry(entry) }).toEqual({ entry, parsed: undefined });
});

test("isHostOf and isNetEntryWithin match names below a wildcard, but not its base name", () => {
  const hosts = ["gateway.acme.dev", "a.b.acme.dev", "acme.dev", ".acme.dev", "evilacme.dev", "acme.dev.evil.dev"];

  expect(hosts.filter((host) => isHostOf(host, "*.acme.dev"))).toEqual(["gateway.acme.dev", "a.b.acme.dev"]);
  expect(isNetEntryWithin("gateway.acme.dev:443", "*.acme.dev:443")).toBe(true);
  expect(isNetEntryWithin("*.gateway.acme.dev:443", "*.acme.dev:443")).toBe(true);
  expect(isNetEntryWithin("*.acme.dev:443", "gateway.acme.dev:443")).toBe(false);
  expect(isNetEntryWithin("private:gateway.acme.dev:443", "*.acme.dev:443")).toBe(false);
});
