import type { NetSocket } from "@incipit/kernel";
import { startRecordingProxy } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { errorCode } from "../../failures/error-code.ts";
import { systemClock } from "../clock.ts";
import { createNet, type NetDriverOptions } from "./net.ts";

function startEcho(): Bun.Server<{ readonly host: string | null }> {
  return Bun.serve<{ readonly host: string | null }>({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request, server) {
      if (server.upgrade(request, { data: { host: request.headers.get("host") } })) return undefined;
      return new Response("no socket", { status: 400 });
    },
    websocket: {
      open: (socket) => void socket.send(`host ${socket.data.host}`),
      message(socket, text) {
        socket.send(`echo ${String(text)}`);
        socket.close(4_001, "enough");
      },
    },
  });
}

async function read(socket: NetSocket): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const text of socket.messages) texts.push(text);
  return texts;
}

function netOver(grant: true | readonly string[], options: NetDriverOptions = {}): ReturnType<typeof createNet> {
  return createNet("acme.caller", grant, systemClock, { resolve: async () => ["127.0.0.1"], env: {}, ...options });
}

test("webSocket connects to an address of a granted name under that name", async () => {
  using server = startEcho();
  const host = `gateway.acme.test:${server.port}`;

  for (const grant of [[`private:${host}`], [`private:*.acme.test:${server.port}`]]) {
    const socket = await netOver(grant).webSocket(`ws://${host}/?v=1`);
    socket.send("é 🎉");

    expect(await read(socket)).toEqual([`host ${host}`, "echo é 🎉"]);
    expect(await socket.ended).toEqual({ code: 4_001, reason: "enough" });
  }
});

test("[attack:network-socket-not-granted] webSocket rejects the same URLs as fetch and opens nothing", async () => {
  const refusals = [
    ["wss://other.test/", ["acme.test:443"]],
    ["wss://acme.test/", ["*.acme.test:443"]],
    ["wss://acme.test/", ["acme.test:443"]],
    ["https://acme.test/", true],
    ["nonsense", true],
  ] as const;

  for (const [url, grant] of refusals) {
    const refused = await netOver(grant)
      .webSocket(url)
      .catch((error: unknown) => error);
    expect({ url, refused }).toMatchObject({ url, refused: { code: "CAPABILITY_DENIED" } });
  }
});

test("webSocket reports a failed connection with the system's code, without the URL's path", async () => {
  using gone = startEcho();
  const { port } = gone;
  await gone.stop(true);

  const failure = await netOver([`private:acme.test:${port}`])
    .webSocket(`ws://acme.test:${port}/?key=sk-1`)
    .catch((error: unknown) => error);

  expect(String(failure)).toBe(`TypeError: Cannot open a socket to "acme.test:${port}": Failed to connect`);
  expect(errorCode(failure)).toBe("ECONNREFUSED");
});

test("[attack:network-socket-past-proxy] webSocket over TLS verifies the name and uses the configured proxy", async () => {
  const folder = join(import.meta.dir, "fixtures");
  const certificate = join(folder, "a.test.cert.pem");
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: Bun.file(certificate), key: Bun.file(join(folder, "a.test.key.pem")) },
    fetch: (request, listener) => (listener.upgrade(request) ? undefined : new Response("", { status: 400 })),
    websocket: { open: (socket) => void socket.send("hello"), message: () => undefined },
  });
  await using proxy = await startRecordingProxy({ port: server.port ?? 0 });
  // Trusted certificates are read at the start of a process.
  const script = `
    import { createNet } from "${join(import.meta.dir, "net.ts")}";
    import { errorCode } from "../../failures/error-code.ts";
import { systemClock } from "${join(import.meta.dir, "../clock.ts")}";
    const first = async (options, host) => {
      try {
        const socket = await createNet("acme.caller", ["private:a.test:${server.port}", "private:b.test:${server.port}", "*.acme.test:443", "a.test:443"], systemClock, options)
          .webSocket("wss://" + host + "/");
        for await (const text of socket.messages) return text;
      } catch (error) { return error.code ?? error.message; }
    };
    const near = { resolve: async () => ["127.0.0.1"], env: {} };
    const far = { resolve: async () => ["8.8.8.8"], env: { HTTPS_PROXY: "${proxy.url}" } };
    console.log(JSON.stringify([
      await first(near, "a.test:${server.port}"), await first(near, "b.test:${server.port}"), await first(far, "a.test"),
    ]));
  `;

  const run = async (env: Readonly<Record<string, string>>): Promise<unknown> => {
    const { stdout } = Bun.spawn([process.execPath, "-e", script], {
      env: { NODE_EXTRA_CA_CERTS: certificate, ...env },
      stderr: "inherit",
    });
    return JSON.parse(await stdout.text());
  };
  const refused = "ERR_TLS_CERT_ALTNAME_INVALID";

  expect(await run({})).toEqual(["hello", refused, "hello"]);
  expect(await run({ NO_PROXY: "*" })).toEqual([
    "hello",
    refused,
    expect.stringContaining("remove the host from NO_PROXY"),
  ]);
  expect(proxy.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(["CONNECT a.test:443"]);
});
