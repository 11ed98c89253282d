import { FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { createNet } from "./net.ts";

const reached = new Error("It was let through");

async function judged(
  url: string,
  { grant, addresses }: { readonly grant: true | readonly string[]; readonly addresses: readonly string[] },
): Promise<unknown> {
  const net = createNet("acme.caller", grant, systemClock, { resolve: async () => addresses, env: {} });
  return net.fetch(url, { observe: () => Promise.reject(reached) }).catch((error: unknown) => error);
}

test("fetch refuses a granted name that resolves to a local or private address, and names it", async () => {
  const grant = ["api.acme.dev:443"];

  for (const address of [
    "127.0.0.1",
    "10.0.0.7",
    "169.254.169.254",
    "::1",
    "fd00::7",
    "::ffff:192.168.0.7",
    "nonsense",
  ])
    expect(await judged("https://api.acme.dev/v1", { grant, addresses: [address] })).toMatchObject({
      code: "CAPABILITY_DENIED",
      extension: "acme.caller",
      message: `Cannot fetch "api.acme.dev:443" for "acme.caller": it leads to ${address}, which is not a public address; granted are "api.acme.dev:443"; grant "private:api.acme.dev:443" if that is meant`,
    });
});

test("fetch checks all addresses of a name", async () => {
  const grant = ["api.acme.dev:443"];

  expect(await judged("https://api.acme.dev/", { grant, addresses: ["8.8.8.8", "2606:4700::1"] })).toBe(reached);
  for (const addresses of [
    ["8.8.8.8", "10.0.0.1"],
    ["10.0.0.1", "8.8.8.8"],
    ["2606:4700::1", "8.8.8.8", "fe80::1%eth0"],
  ])
    expect(await judged("https://api.acme.dev/", { grant, addresses })).toMatchObject({
      code: "CAPABILITY_DENIED",
    });
});

test("fetch connects to a granted private address", async () => {
  const home = { addresses: ["192.168.1.5"] };
  const local = { addresses: ["127.0.0.1", "::1"] };

  for (const allowed of [
    judged("http://ollama.lan:11434/", { grant: ["private:ollama.lan:11434"], ...home }),
    judged("http://ollama.lan:11434/", { grant: ["ollama.lan:11434", "private:Ollama.lan:11434"], ...home }),
    judged("http://ollama.lan:11434/", { grant: ["private:ollama.lan:11434", "ollama.lan:11434"], ...home }),
    judged("http://ollama.lan:11434/", { grant: true, ...home }),
    judged("http://ollama.lan:11434/", { grant: ["ollama.lan:11434", "192.168.1.5:11434"], ...home }),
    judged("http://127.0.0.1:8080/", { grant: ["127.0.0.1:8080"], ...local }),
    judged("http://[::1]:8080/", { grant: ["[::1]:8080"], ...local }),
    judged("http://localhost:8080/", { grant: ["localhost:8080"], ...local }),
  ])
    expect(await allowed).toBe(reached);
  for (const refused of [
    judged("http://ollama.lan:80/", { grant: ["private:ollama.lan:11434"], ...home }),
    judged("http://other.lan:11434/", { grant: ["private:ollama.lan:11434", "other.lan:11434"], ...home }),
    judged("http://ollama.lan:11434/", { grant: ["ollama.lan:11434", "192.168.1.5:80"], ...home }),
    judged("http://127.0.0.1:8081/", { grant: ["127.0.0.1:8080"], ...local }),
    judged("http://2130706433:8080/", { grant: ["localhost:8080"], ...local }),
    judged("http://localhost:8080/", { grant: ["localhost:8080"], ...home }),
    judged("http://sub.localhost:8080/", { grant: ["sub.localhost:8080"], ...local }),
  ])
    expect(await refused).toMatchObject({ code: "CAPABILITY_DENIED" });
});

test("fetch connects to the checked address under the name of the URL", async () => {
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => new Response(`${request.headers.get("host")}`),
  });
  const name = `api.acme.test:${server.port}`;
  const net = createNet("acme.caller", [`private:${name}`], systemClock, {
    resolve: async () => ["127.0.0.1"],
    env: {},
  });

  const response = await net.fetch(`http://${name}/v1#part`, { headers: { Host: "other.acme.test" } });

  expect(await response.text()).toBe(name);
  expect(response.url).toBe(`http://${name}/v1`);
});

test("fetch overrides a given Host header with the host of the URL", async () => {
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => new Response(`${request.headers.get("host")}`),
  });
  const literal = `127.0.0.1:${server.port}`;

  for (const grant of [true, [literal]] as const) {
    const net = createNet("acme.caller", grant, systemClock, { env: {} });
    const response = await net.fetch(`http://${literal}/`, { headers: { host: "other.acme.test" } });
    expect(await response.text()).toBe(literal);
  }
});

test("fetch tries the next address after a failed connection", async () => {
  using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("second") });
  const name = `api.acme.test:${server.port}`;
  const resolve = async (): Promise<readonly string[]> => ["127.0.0.2", "127.0.0.1"];
  const net = createNet("acme.caller", [`private:${name}`], systemClock, { resolve, env: {} });

  expect(await (await net.fetch(`http://${name}/`)).text()).toBe("second");
});

test("fetch over TLS connects to the checked address and rejects certificates of other names", async () => {
  const folder = join(import.meta.dir, "fixtures");
  const certificate = join(folder, "a.test.cert.pem");
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: Bun.file(certificate), key: Bun.file(join(folder, "a.test.key.pem")) },
    fetch: (request) => new Response(`${request.headers.get("host")}`),
  });
  // Trusted certificates are read at the start of a process.
  const script = `
    import { createNet } from "${join(import.meta.dir, "net.ts")}";
    import { systemClock } from "${join(import.meta.dir, "../clock.ts")}";
    const names = ["a.test:${server.port}", "b.test:${server.port}"];
    const net = createNet("acme.caller", names.map((name) => "private:" + name), systemClock, {
      resolve: async () => ["127.0.0.1"], env: {},
    });
    const answer = (name) => net.fetch("https://" + name + "/").then((it) => it.text(), (error) => error.code);
    console.log(JSON.stringify([await answer(names[0]), await answer(names[1]), await answer(names[0])]));
  `;

  const child = Bun.spawn([process.execPath, "-e", script], {
    env: { NODE_EXTRA_CA_CERTS: certificate },
    stderr: "inherit",
  });

  expect(JSON.parse(await child.stdout.text())).toEqual([
    `a.test:${server.port}`,
    "ERR_TLS_CERT_ALTNAME_INVALID",
    `a.test:${server.port}`,
  ]);
});

test("fetch lets an environment proxy resolve names but checks the locally resolved addresses", async () => {
  using proxy = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => new Response(request.url) });
  const script = `
    import { createNet } from "${join(import.meta.dir, "net.ts")}";
    import { systemClock } from "${join(import.meta.dir, "../clock.ts")}";
    const resolve = async (name) => {
      if (name === "home.test") return ["192.168.1.5"];
      throw new Error("not found");
    };
    const net = createNet("acme.caller", ["far.test:80", "home.test:80"], systemClock, { resolve });
    const answer = (name) => net.fetch("http://" + name + "/x").then((it) => it.text(), (error) => error.code);
    console.log(JSON.stringify([await answer("far.test"), await answer("home.test")]));
  `;

  const child = Bun.spawn([process.execPath, "-e", script], {
    env: { http_proxy: proxy.url.href },
    stderr: "inherit",
  });

  expect(JSON.parse(await child.stdout.text())).toEqual(["http://far.test/x", "CAPABILITY_DENIED"]);
});

test("fetch caches a resolution for a while and retries after a failure", async () => {
  const clock = new FakeClock();
  const asked: string[] = [];
  const answers = [
    Promise.reject(new Error("no network")),
    Promise.resolve(["8.8.8.8"]),
    Promise.resolve(["10.0.0.1"]),
  ];
  for (const answer of answers) answer.catch(() => undefined);
  const net = createNet("acme.caller", ["api.acme.dev:443"], clock, {
    resolve: (name) => {
      asked.push(name);
      return answers[asked.length - 1] ?? Promise.resolve([]);
    },
    env: {},
  });
  const call = (): Promise<unknown> =>
    net.fetch("https://api.acme.dev/", { observe: () => Promise.reject(reached) }).catch((error: unknown) => error);

  expect(await call()).toMatchObject({ message: "no network" });
  expect(await call()).toBe(reached);
  expect(await call()).toBe(reached);
  await clock.advance(30_000);
  expect(await call()).toMatchObject({ code: "CAPABILITY_DENIED" });
  expect(asked).toHaveLength(3);
});

test("fetch rejects on abort or timeout during a name lookup", async () => {
  const clock = new FakeClock();
  const resolve = (): Promise<never> => new Promise<never>(() => {});
  const net = createNet("acme.caller", ["api.acme.dev:443"], clock, { resolve, env: {} });
  const stop = new AbortController();

  const stopped = net.fetch("https://api.acme.dev/", { signal: stop.signal }).catch((error: unknown) => error);
  const late = net.fetch("https://api.acme.dev/").catch((error: unknown) => error);
  stop.abort(new Error("enough"));
  await clock.advance(600_000);

  expect(await stopped).toMatchObject({ message: "enough" });
  expect(await late).toMatchObject({ message: '"api.acme.dev:443" did not answer within 600 s' });
});
