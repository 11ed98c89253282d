import type { Net } from "@incipit/kernel";
import { startRecordingProxy, type RecordingProxy } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { createNet, type NetDriverOptions } from "./net.ts";

/** The proxy alone can resolve other names. */
const names = new Map([
  ["public.test", ["8.8.8.8"]],
  ["here.test", ["127.0.0.1"]],
  ["lan.test", ["10.0.0.1"]],
  ["mixed.test", ["8.8.8.8", "127.0.0.1"]],
]);

function netOver(
  proxy: RecordingProxy | string,
  { grant = true, ...options }: { readonly grant?: true | readonly string[] } & NetDriverOptions = {},
): Net {
  const url = typeof proxy === "string" ? proxy : proxy.url;
  return createNet("acme.caller", grant, systemClock, {
    resolve: async (name) => names.get(name) ?? Promise.reject(new Error(`"${name}" is unknown`)),
    env: { HTTP_PROXY: url, HTTPS_PROXY: url },
    ...options,
  });
}

function startServer(): Bun.Server<undefined> {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { searchParams } = new URL(request.url);
      const to = searchParams.get("to");
      return to === null ? new Response(`${request.headers.get("host")}`) : Response.redirect(to, 307);
    },
  });
}

test("fetch sends a plain request to the proxy and the credentials to the proxy only", async () => {
  using server = startServer();
  await using proxy = await startRecordingProxy({ port: server.port ?? 0 });
  const net = netOver(`http://us%40er:pa%3Ass@127.0.0.1:${proxy.port}`);

  const response = await net.fetch("http://far.test/v1?page=2", { headers: { authorization: "Bearer k" } });

  expect(await response.text()).toBe("far.test");
  expect(response.url).toBe("http://far.test/v1?page=2");
  expect(proxy.requests).toMatchObject([
    {
      method: "GET",
      target: "http://far.test/v1?page=2",
      headers: { authorization: "Bearer k", "proxy-authorization": `Basic ${btoa("us@er:pa:ss")}` },
    },
  ]);
});

test("[attack:network-proxy-no-proxy-of-bun] fetch tunnels TLS and accepts only a certificate for the URL's name", async () => {
  const folder = join(import.meta.dir, "fixtures");
  const certificate = join(folder, "a.test.cert.pem");
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: Bun.file(certificate), key: Bun.file(join(folder, "a.test.key.pem")) },
    fetch: (request) => new Response(`${request.headers.get("host")} ${request.headers.get("authorization")}`),
  });
  await using proxy = await startRecordingProxy({ port: server.port ?? 0 });
  // Trusted certificates are read at the start of a process; Bun's own handling of the environment would skip the
  // proxy.
  const script = `
    import { createNet } from "${join(import.meta.dir, "net.ts")}";
    import { systemClock } from "${join(import.meta.dir, "../clock.ts")}";
    const net = createNet("acme.caller", true, systemClock, {
      resolve: async () => ["8.8.8.8"], env: { HTTPS_PROXY: "${proxy.url}" },
    });
    const headers = { authorization: "Bearer k" };
    const answer = (url) => net.fetch(url, { headers }).then((it) => it.text(), (error) => error.code);
    const alone = await fetch("https://a.test/x", { proxy: "${proxy.url}" }).then(() => "proxied", () => "past it");
    console.log(JSON.stringify([await answer("https://a.test/x"), await answer("https://b.test:8443/x"), alone]));
  `;

  const child = Bun.spawn([process.execPath, "-e", script], {
    env: { NODE_EXTRA_CA_CERTS: certificate, NO_PROXY: "*" },
    stderr: "inherit",
  });

  expect(JSON.parse(await child.stdout.text())).toEqual([
    "a.test Bearer k",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "past it",
  ]);
  expect(proxy.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
    "CONNECT a.test:443",
    "CONNECT b.test:8443",
  ]);
  expect(JSON.stringify(proxy.requests)).not.toContain("Bearer");
});

test("[attack:network-proxy-private-name] fetch bypasses the proxy for names that resolve to local addresses", async () => {
  using server = startServer();
  await using proxy = await startRecordingProxy({ port: server.port ?? 0 });
  const port = server.port ?? 0;

  for (const host of ["here.test", "mixed.test"])
    for (const grant of [true, [`private:${host}:${port}`]] as const) {
      const net = netOver(proxy, { grant, resolve: async () => ["127.0.0.1"] });
      expect(await (await net.fetch(`http://${host}:${port}/`)).text()).toBe(`${host}:${port}`);
    }
  for (const host of ["here.test", "lan.test", "mixed.test"])
    expect(
      await netOver(proxy, { grant: [`${host}:80`] })
        .fetch(`http://${host}/`)
        .catch((error: unknown) => error),
    ).toMatchObject({ code: "CAPABILITY_DENIED" });
  expect(proxy.requests).toEqual([]);
  for (const host of ["public.test", "far.test"]) await netOver(proxy).fetch(`http://${host}/`);
  expect(proxy.requests).toHaveLength(2);
});

test("[attack:network-proxy-redirect-home] fetch checks a redirect to this machine and bypasses the proxy", async () => {
  using server = startServer();
  await using proxy = await startRecordingProxy({ port: server.port ?? 0 });
  const home = `127.0.0.1:${server.port}`;
  const url = `http://far.test/?to=${encodeURIComponent(`http://${home}/`)}`;
  const granted = netOver(proxy, { grant: ["far.test:80", home] });
  const refused = netOver(proxy, { grant: ["far.test:80"] });

  expect(await (await granted.fetch(url, { maxRedirects: 1 })).text()).toBe(home);
  expect(await refused.fetch(url, { maxRedirects: 1 }).catch((error: unknown) => error)).toMatchObject({
    code: "CAPABILITY_DENIED",
  });
  expect(proxy.requests.map(({ target }) => target)).toEqual([url, url]);
});

test("fetch bypasses the proxy for NO_PROXY and configured exceptions, and connects to the checked address", async () => {
  using server = startServer();
  await using proxy = await startRecordingProxy();
  const port = server.port ?? 0;
  const env = { HTTP_PROXY: proxy.url };
  const literal = { resolve: async () => ["127.0.0.1"] };

  for (const options of [
    { env: { ...env, NO_PROXY: "a.test" } },
    { env, proxies: { everywhere: "none" } },
    { env, proxies: { exceptions: [".a.test"] } },
    { env, proxies: { endpoints: new Map([[`a.test:${port}`, "none"]]) } },
  ]) {
    const net = createNet("acme.caller", [`private:a.test:${port}`], systemClock, { ...literal, ...options });
    expect(await (await net.fetch(`http://a.test:${port}/`)).text()).toBe(`a.test:${port}`);
  }
  expect(proxy.requests).toEqual([]);
});

test("[attack:network-proxy-password] fetch names the proxy in an error but never its password", async () => {
  await using refusing = await startRecordingProxy({ refuses: "407 Proxy Authentication Required" });
  const at = (port: number): string => `http://me:hunter22@127.0.0.1:${port}`;
  const shown: string[] = [];
  const failureOf = (proxy: string): Promise<unknown> =>
    netOver(proxy)
      .fetch("https://far.test/")
      .then(() => "reached")
      .catch((error: unknown) => {
        shown.push(Bun.inspect(error), JSON.stringify(error));
        return error;
      });

  expect(await failureOf(at(refusing.port))).toMatchObject({
    code: "ERR_PROXY_TUNNEL",
    message: `Cannot reach "far.test" through the proxy http://127.0.0.1:${refusing.port} (HTTPS_PROXY): Proxy refused to open a tunnel: 407 Proxy Authentication Required`,
  });
  expect(await failureOf(at(1))).toMatchObject({
    code: "ECONNREFUSED",
    message:
      'Cannot reach "far.test" through the proxy http://127.0.0.1:1 (HTTPS_PROXY): ECONNREFUSED: Unable to connect',
  });
  expect(shown.join("\n")).not.toContain("hunter22");
  expect(refusing.requests[0]?.headers["proxy-authorization"]).toBe(`Basic ${btoa("me:hunter22")}`);
});

test("fetch over a proxy rejects with the abort reason", async () => {
  using silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const stop = new AbortController();
  const net = netOver(`http://127.0.0.1:${silent.port}`);

  const answer = net.fetch("http://far.test/", {
    signal: stop.signal,
    observe: () => queueMicrotask(() => stop.abort(new Error("enough"))),
  });

  expect(await answer.catch((error: unknown) => error)).toMatchObject({ message: "enough" });
});
