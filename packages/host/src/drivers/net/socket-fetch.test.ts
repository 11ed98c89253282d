import { systemClock } from "../clock.ts";
import { createNet, type NetDriverOptions } from "./net.ts";
import { OpenFetches } from "./open-fetches.ts";
import type { Net } from "@incipit/kernel";
import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const ways: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Bun's fetch": {},
  "a socket of its own": { BUN_CONFIG_MAX_HTTP_REQUESTS: "1" },
};

async function rawServer(answer: (socket: Socket) => void): Promise<{ readonly url: string } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "it did not fail",
    (error: unknown) => error,
  );
}

for (const [way, env] of Object.entries(ways)) {
  const netOf = (options: NetDriverOptions = {}, grant: true | readonly string[] = true): Net =>
    createNet("acme.caller", grant, systemClock, { env, fetches: new OpenFetches(env), ...options });

  describe(`fetch over ${way}`, () => {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      routes: {
        "/echo": async (request) =>
          Response.json({
            method: request.method,
            headers: request.headers.toJSON(),
            body: await request.text(),
          }),
        "/none": new Response(null, { status: 204 }),
        "/found": Response.redirect("http://elsewhere.invalid/", 302),
        "/cookies": new Response("two", {
          status: 418,
          headers: [
            ["set-cookie", "a=1"],
            ["set-cookie", "b=2"],
          ],
        }),
        "/gzip": new Response(gzipSync("packed"), { headers: { "content-encoding": "gzip" } }),
        "/br": new Response(brotliCompressSync("packed"), { headers: { "content-encoding": "br" } }),
        "/large": new Response("x".repeat(5_000_000)),
      },
    });
    afterAll(() => server.stop(true));
    const at = (path: string): string => new URL(path, server.url).href;

    test("sends method, headers, body and a user agent", async () => {
      const body = "é 漢 🎉";
      const response = await netOf().fetch(at("/echo"), {
        method: "POST",
        headers: { "Content-Type": "text/plain", "X-Own": "kept", "Content-Length": "3" },
        body,
      });

      expect(await response.json()).toMatchObject({
        method: "POST",
        body,
        headers: {
          host: server.url.host,
          "content-type": "text/plain",
          "content-length": String(Buffer.byteLength(body)),
          "x-own": "kept",
          accept: "*/*",
          "user-agent": navigator.userAgent,
        },
      });
      const empty = await netOf().fetch(at("/echo"), { method: "POST" });
      expect(await empty.json()).toMatchObject({ headers: { "content-length": "0" }, body: "" });
    });

    test("returns status, headers and the decompressed body", async () => {
      const net = netOf();
      const teapot = await net.fetch(at("/cookies"));

      expect([teapot.status, teapot.headers.getSetCookie(), await teapot.text(), teapot.url]).toEqual([
        418,
        ["a=1", "b=2"],
        "two",
        at("/cookies"),
      ]);
      for (const path of ["/gzip", "/br"]) expect(await (await net.fetch(at(path))).text()).toBe("packed");
      expect((await (await net.fetch(at("/large"))).text()).length).toBe(5_000_000);
      expect((await net.fetch(at("/none"))).body).toBeNull();
      expect((await net.fetch(at("/large"), { method: "HEAD" })).body).toBeNull();
      expect((await net.fetch(at("/found"))).status).toBe(302);
    });

    test("streams each chunk as it arrives", async () => {
      const more = Promise.withResolvers<void>();
      await using raw = await rawServer((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
        void more.promise.then(() => socket.end("3\r\ntwo\r\n0\r\n\r\n"));
      });
      const reader = (await netOf().fetch(raw.url)).body?.pipeThrough(new TextDecoderStream()).getReader();

      expect(await reader?.read()).toEqual({ done: false, value: "one" });
      more.resolve();
      expect(await reader?.read()).toEqual({ done: false, value: "two" });
      expect(await reader?.read()).toMatchObject({ done: true });
    });

    test("rejects a truncated body, but not one delimited by the end of its connection", async () => {
      const net = netOf();
      for (const head of ["Content-Length: 9", "Transfer-Encoding: chunked"]) {
        const piece = head.startsWith("C") ? "one" : "3\r\none\r\n";
        await using raw = await rawServer((socket) => socket.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${piece}`));
        const failure = await failureOf(net.fetch(raw.url).then((response) => response.text()));
        expect(failure).toMatchObject({ code: "ECONNRESET" });
      }
      await using raw = await rawServer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nall of it"));
      expect(await (await net.fetch(raw.url)).text()).toBe("all of it");
    });

    test("rejects a refused connection and a response other than HTTP", async () => {
      const net = netOf();
      await using raw = await rawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
      using gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("there") });
      const { href } = gone.url;
      await gone.stop(true);

      expect(await failureOf(net.fetch(raw.url))).toBeInstanceOf(Error);
      expect(await failureOf(net.fetch(href))).toMatchObject({ code: "ECONNREFUSED" });
    });

    test("rejects on abort, before the headers and during the body", async () => {
      const net = netOf();
      const reason = new Error("enough");
      await using silent = await rawServer(() => {});
      await using begun = await rawServer((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
      });
      const [first, second] = [new AbortController(), new AbortController()];

      const headless = failureOf(net.fetch(silent.url, { signal: first.signal }));
      const reader = (await net.fetch(begun.url, { signal: second.signal })).body?.getReader();
      await reader?.read();
      const rest = failureOf(reader?.read() ?? Promise.resolve());
      first.abort(reason);
      second.abort(reason);

      expect(await headless).toBe(reason);
      expect(await rest).toBe(reason);
    });

    test("closes the connection of a cancelled body", async () => {
      const closed = Promise.withResolvers<void>();
      await using raw = await rawServer((socket) => {
        socket.on("close", () => closed.resolve());
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
      });
      const response = await netOf().fetch(raw.url);

      await response.body?.cancel();

      await closed.promise;
    });

    test("connects to the checked address and accepts only certificates for the URL's name", async () => {
      const plain = `api.acme.test:${server.port}`;
      const resolve = async (): Promise<readonly string[]> => ["127.0.0.2", "127.0.0.1"];
      const response = await netOf({ resolve }, [`private:${plain}`]).fetch(`http://${plain}/echo`);
      expect(await response.json()).toMatchObject({ headers: { host: plain } });

      const certificate = join(import.meta.dir, "fixtures/a.test.cert.pem");
      using safe = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        tls: { cert: Bun.file(certificate), key: Bun.file(join(import.meta.dir, "fixtures/a.test.key.pem")) },
        fetch: (request) => new Response(`${request.headers.get("host")}`),
      });
      // Trusted certificates are read at the start of a process.
      const script = `
        import { createNet } from "${join(import.meta.dir, "net.ts")}";
        import { systemClock } from "${join(import.meta.dir, "../clock.ts")}";
        const names = ["a.test:${safe.port}", "b.test:${safe.port}"];
        const net = createNet("acme.caller", names.map((name) => "private:" + name), systemClock, {
          resolve: async () => ["127.0.0.1"], env: ${JSON.stringify(env)},
        });
        const answer = (name) => net.fetch("https://" + name + "/").then((it) => it.text(), (error) => error.code);
        console.log(JSON.stringify([await answer(names[0]), await answer(names[1])]));
      `;
      const child = Bun.spawn([process.execPath, "-e", script], {
        env: { NODE_EXTRA_CA_CERTS: certificate },
        stderr: "inherit",
      });
      expect(JSON.parse(await child.stdout.text())).toEqual([
        `a.test:${safe.port}`,
        "ERR_TLS_CERT_ALTNAME_INVALID",
      ]);
    });
  });
}
