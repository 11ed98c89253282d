import type { WireRequest } from "@incipit/kernel";
import { startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { systemClock } from "../clock.ts";
import { createNet } from "./net.ts";

test("fetch passes the sent bytes to observe without credentials", async () => {
  await using server = await startRecordingModelServer();
  const seen: WireRequest[] = [];
  const body = '{"text":"é 漢 \\u0000 🎉"}';

  await createNet("acme.caller", true, systemClock).fetch(`${server.url}/chat?key=sk-1&page=2`, {
    method: "POST",
    headers: { Authorization: "Bearer sk-2", Cookie: "a=sk-3", "x-api-key": "sk-4", "X-Other": "kept" },
    body,
    observe: (wire) => void seen.push(wire),
  });

  expect(server.requests[0]?.body).toBe(body);
  expect(server.requests[0]?.headers["authorization"]).toBe("Bearer sk-2");
  expect(seen).toMatchObject([
    {
      method: "POST",
      body,
      headers: { "x-other": "kept", authorization: "[redacted:credential]", cookie: "[redacted:credential]" },
      sha256: new Bun.CryptoHasher("sha256").update(body).digest("hex"),
    },
  ]);
  expect(JSON.stringify(seen)).not.toContain("sk-");
  expect(seen[0]?.url).toContain("key=[redacted:credential]&page=2");
});

test("fetch sends nothing if observe rejects", async () => {
  await using server = await startRecordingModelServer();
  const net = createNet("acme.caller", true, systemClock);

  const failed = await net
    .fetch(server.url, { observe: () => Promise.reject(new Error("disk full")) })
    .catch((error: unknown) => error);

  expect(failed).toMatchObject({ message: "disk full" });
  expect(server.requests).toEqual([]);
});

test("fetch records a body as sent, even if the text is invalid Unicode", async () => {
  await using server = await startRecordingModelServer();
  const seen: WireRequest[] = [];

  await createNet("acme.caller", true, systemClock).fetch(`${server.url}/chat`, {
    method: "POST",
    body: '\uFEFF{"half":"\uD83C"}',
    observe: (wire) => void seen.push(wire),
  });

  const body = '\uFEFF{"half":"\uFFFD"}';
  expect(seen[0]?.body).toBe(body);
  expect(seen[0]?.sha256).toBe(new Bun.CryptoHasher("sha256").update(body).digest("hex"));
});

test("fetch sends bytes unchanged, even if not text, and records their hash", async () => {
  const bytes = new Uint8Array([0xff, 0xfe, 0x00, 0x61, 0xed, 0xa0, 0x80]);
  const received: Uint8Array[] = [];
  using server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      received.push(await request.bytes());
      return new Response("ok");
    },
  });
  const seen: WireRequest[] = [];

  await createNet("acme.caller", true, systemClock).fetch(server.url.href, {
    method: "POST",
    body: bytes,
    observe: (wire) => void seen.push(wire),
  });

  expect(received).toEqual([bytes]);
  expect(seen[0]?.sha256).toBe(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
  expect(seen[0]?.body).toStartWith("\uFFFD\uFFFD\u0000a");
});

test("fetch sends text as UTF-8 without setting a content type", async () => {
  await using server = await startRecordingModelServer();
  const net = createNet("acme.caller", true, systemClock);
  const body = "é 漢 🎉";

  await net.fetch(server.url, { method: "POST", body, headers: { "content-type": "application/json" } });
  await net.fetch(server.url, { method: "POST", body });

  expect(server.requests.map(({ body: received }) => received)).toEqual([body, body]);
  const types = server.requests.map(({ headers }) => headers["content-type"]);
  expect(types).toEqual(["application/json", undefined]);
});

test("fetch rejects schemes other than http and https, which would read host files", async () => {
  const net = createNet("acme.caller", true, systemClock);

  for (const url of ["file:///etc/passwd", "data:text/plain,x", "blob:x", "s3://bucket/x", "no URL at all"])
    expect(await net.fetch(url).catch((error: unknown) => error)).toMatchObject({ code: "CAPABILITY_DENIED" });
});

test("fetch follows no redirects by default, since they could leave the grant", async () => {
  using server = Bun.serve({ port: 0, fetch: () => Response.redirect("http://elsewhere.invalid/", 302) });

  const response = await createNet("acme.caller", true, systemClock).fetch(server.url.href);

  expect(response.status).toBe(302);
});

test("fetch rejects with the abort reason", async () => {
  using server = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) });
  const stopped = new AbortController();

  const answer = createNet("acme.caller", true, systemClock).fetch(server.url.href, {
    signal: stopped.signal,
    observe: () => queueMicrotask(() => stopped.abort(new Error("enough"))),
  });

  expect(await answer.catch((error: unknown) => error)).toMatchObject({ message: "enough" });
});

test("fetch rejects a host or port outside the grant", async () => {
  const net = createNet("acme.caller", ["api.acme.dev:443"], systemClock);

  for (const url of ["https://evil.example/", "http://api.acme.dev/", "https://api.acme.dev:8443/"]) {
    expect(await net.fetch(url).catch((error: unknown) => error)).toMatchObject({
      code: "CAPABILITY_DENIED",
      message: expect.stringContaining('granted are "api.acme.dev:443"'),
    });
  }
});
