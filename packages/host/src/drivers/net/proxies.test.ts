import { expect, test } from "bun:test";
import { Proxies, type ConfiguredProxies, parseProxy, proxySecrets } from "./proxies.ts";

type Environment = Readonly<Record<string, string>>;

const far = "https://api.acme.dev/v1";

function wayOf(url: string, env: Environment, configured: ConfiguredProxies = {}): string {
  const proxy = new Proxies(configured, env).of(new URL(url));
  return proxy === undefined ? "direct" : `${proxy.url} ${proxy.from}`;
}

const environments: readonly (readonly [url: string, env: Environment, way: string])[] = [
  [far, {}, "direct"],
  [far, { HTTPS_PROXY: "http://p.test:1" }, "http://p.test:1/ HTTPS_PROXY"],
  [far, { https_proxy: "http://p.test:1" }, "http://p.test:1/ https_proxy"],
  [far, { https_proxy: "http://p.test:1", HTTPS_PROXY: "http://q.test:1" }, "http://p.test:1/ https_proxy"],
  [far, { https_proxy: " ", HTTPS_PROXY: "http://q.test:1" }, "http://q.test:1/ HTTPS_PROXY"],
  [far, { HTTP_PROXY: "http://p.test:1" }, "direct"],
  [far, { ALL_PROXY: "http://p.test:1" }, "http://p.test:1/ ALL_PROXY"],
  [far, { all_proxy: "http://p.test:1" }, "http://p.test:1/ all_proxy"],
  [far, { ALL_PROXY: "http://p.test:1", HTTPS_PROXY: "http://q.test:1" }, "http://q.test:1/ HTTPS_PROXY"],
  [far, { HTTPS_PROXY: "p.test:1" }, "http://p.test:1/ HTTPS_PROXY"],
  [far, { HTTPS_PROXY: "me:pw@p.test:1" }, "http://me:pw@p.test:1/ HTTPS_PROXY"],
  [far, { HTTPS_PROXY: "https://p.test" }, "https://p.test/ HTTPS_PROXY"],
  [far, { HTTPS_PROXY: "http://p.test:1", NO_PROXY: "acme.dev" }, "direct"],
  [far, { HTTPS_PROXY: "http://p.test:1", no_proxy: "acme.dev", NO_PROXY: "" }, "direct"],
  [far, { HTTPS_PROXY: "http://p.test:1", NO_PROXY: "acme.test" }, "http://p.test:1/ HTTPS_PROXY"],
  ["http://api.acme.dev/", { HTTP_PROXY: "http://p.test:1" }, "http://p.test:1/ HTTP_PROXY"],
  ["http://api.acme.dev/", { HTTPS_PROXY: "http://p.test:1" }, "direct"],
  ["http://8.8.8.8/", { HTTP_PROXY: "http://p.test:1" }, "http://p.test:1/ HTTP_PROXY"],
];

for (const [url, env, way] of environments)
  test(`Proxies sends ${url} with ${JSON.stringify(env)} ${way === "direct" ? "to its host" : `over ${way}`}`, () => {
    expect(wayOf(url, env)).toBe(way);
  });

test("Proxies prefers an endpoint's own setting, then [network], then the environment with its exceptions", () => {
  const env = { HTTPS_PROXY: "http://e.test:1", NO_PROXY: "quiet.test", ACME: "http://me:pw@a.test:1" };
  const endpoints = new Map([
    ["api.acme.dev:443", "http://own.test:1"],
    ["b.test:443", "none"],
    ["c.test:443", "env:ACME"],
    ["quiet.test:8443", "http://own.test:1"],
  ]);

  const configured = { endpoints, everywhere: "http://n.test:1" };
  expect(wayOf(far, env, configured)).toBe('http://own.test:1/ the proxy of "api.acme.dev:443"');
  expect(wayOf("https://api.acme.dev:444/", env, configured)).toBe("http://n.test:1/ [network] proxy");
  expect(wayOf("http://api.acme.dev/", env, configured)).toBe("http://n.test:1/ [network] proxy");
  expect(wayOf("https://b.test/", env, configured)).toBe("direct");
  expect(wayOf("https://c.test/", env, configured)).toBe("http://me:pw@a.test:1/ ACME");
  expect(wayOf("https://quiet.test/", env, configured)).toBe("direct");
  expect(wayOf("https://quiet.test:8443/", env, configured)).toStartWith("http://own.test:1/");
  expect(wayOf("https://quiet.test/", env, { ...configured, exceptions: ["d.test"] })).toStartWith("http://n.test");
  expect(wayOf("https://d.test/", env, { ...configured, exceptions: ["d.test"] })).toBe("direct");
  expect(wayOf("https://d.test/", env, { everywhere: "none" })).toBe("direct");
  expect(wayOf("https://d.test/", env, { exceptions: [] })).toBe("http://e.test:1/ HTTPS_PROXY");
});

test("[attack:network-proxy-local-names] Proxies uses no proxy for local names and addresses in any spelling", () => {
  const env = { HTTP_PROXY: "http://p.test:1", HTTPS_PROXY: "http://p.test:1" };
  const hosts = [
    "127.0.0.1",
    "127.1",
    "127.0.0.1.",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "①②⑦.⓪.⓪.①",
    "%31%32%37.0.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "192.168.1.5",
    "169.254.169.254",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::a00:1]",
    "[2002:7f00:1::]",
    "[fd00::1]",
    "[fd00::ffff:8.8.8.8]",
    "[fe80::1]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "api.localhost",
    "api.localhost.",
  ];

  for (const host of hosts)
    for (const scheme of ["http", "https"])
      for (const configured of [{}, { everywhere: "http://p.test:1" }, { exceptions: [] }]) {
        const url = `${scheme}://${host}:4140/`;
        expect({ url, way: wayOf(url, env, configured) }).toEqual({ url, way: "direct" });
      }
  for (const host of ["8.8.8.8", "0x08080808", "[2606:4700::1]", "localhost.acme.dev", "notlocalhost", "acme.dev"])
    expect({ host, way: wayOf(`http://${host}/`, env) }).toEqual({ host, way: "http://p.test:1/ HTTP_PROXY" });
});

test("[attack:network-proxy-unusable] Proxies throws for an unusable proxy instead of bypassing it", () => {
  const socks = { ALL_PROXY: "socks5://me:hunter22@p.test:1080" };
  for (const [env, configured, message] of [
    [socks, {}, 'ALL_PROXY names a proxy of the kind "socks5", which the host cannot use'],
    [{ HTTPS_PROXY: "http://me:hunter22@[" }, {}, "HTTPS_PROXY is not the URL of a proxy"],
    [{}, { everywhere: "env:ACME" }, '[network] proxy is in the variable "ACME", which is not set'],
    [{ ACME: "file:///etc/hunter22" }, { everywhere: "env:ACME" }, 'ACME names a proxy of the kind "file"'],
  ] as const) {
    let failure = "it was passed over";
    try {
      failure = wayOf(far, env, configured);
    } catch (error) {
      failure = String(error);
    }
    expect(failure).toContain(message);
    expect(failure).not.toContain("hunter22");
  }
  expect(wayOf(far, { ALL_PROXY: "http://p.test:1080" })).toStartWith("http://p.test:1080/");
});

test("parseProxy hides name and password, and proxySecrets returns both", () => {
  const text = "http://me:pa%3Ass%25w@p.test:3128/x";

  expect(parseProxy(text, "HTTPS_PROXY")).toMatchObject({ shown: "http://p.test:3128" });
  expect(proxySecrets(text)).toEqual(["pa:ss%w", "me:pa:ss%w"]);
  expect(proxySecrets("me:100%@p.test:3128")).toEqual(["100%", "me:100%"]);
  for (const alone of ["http://a%2Dtoken@p.test", "a-token:@p.test"])
    expect(proxySecrets(alone)).toEqual(["a-token"]);
  for (const without of ["", "http://p.test", "p.test:1", "http://["]) expect(proxySecrets(without)).toEqual([]);
});
