import type { Net, WireRequest } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { systemClock } from "../clock.ts";
import { createNet } from "./net.ts";

interface Seen {
  readonly at: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function startServer(seen: Seen[]): Bun.Server<undefined> {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const url = new URL(request.url);
      seen.push({
        at: `${url.host}${url.pathname}`,
        method: request.method,
        headers: request.headers.toJSON(),
        body: await request.text(),
      });
      const status = Number(url.pathname.slice(1));
      const to = url.searchParams.get("to");
      if (!(status >= 300 && status < 400)) return new Response("there");
      return new Response("elsewhere", { status, headers: to === null ? {} : { location: to } });
    },
  });
}

function netFor(...names: readonly string[]): Net {
  return createNet("acme.caller", names, systemClock, {
    resolve: async (name) => [name === "inner.test" ? "10.0.0.1" : "127.0.0.1"],
    env: {},
  });
}

test("fetch follows redirects up to the limit and returns the next one unfollowed", async () => {
  const seen: Seen[] = [];
  using server = startServer(seen);
  const host = `a.test:${server.port}`;
  const net = netFor(`private:${host}`);
  const twice = `http://${host}/302?to=${encodeURIComponent("/307?to=/end")}`;

  expect(await net.fetch(twice)).toMatchObject({ status: 302, redirected: false });
  expect(await net.fetch(twice, { maxRedirects: 1 })).toMatchObject({ status: 307, redirected: true });
  expect(await net.fetch(twice, { maxRedirects: 2 })).toMatchObject({
    status: 200,
    redirected: true,
    url: `http://${host}/end`,
  });
  expect(await net.fetch(`http://${host}/302`, { maxRedirects: 2 })).toMatchObject({ status: 302 });
});

test("fetch checks grant, resolution and scheme on each hop", async () => {
  const seen: Seen[] = [];
  using server = startServer(seen);
  const host = `a.test:${server.port}`;
  const net = netFor(`private:${host}`, "inner.test:80");
  const refusals: readonly (readonly [to: string, asked: string])[] = [
    ["http://other.test/", "other.test:80"],
    [`http://127.0.0.1:${server.port}/`, `127.0.0.1:${server.port}`],
    ["http://inner.test/", "inner.test:80"],
    ["file:///etc/passwd", "file:"],
    ["data:text/plain,x", "data:"],
  ];

  for (const [to, asked] of refusals)
    expect(
      await net
        .fetch(`http://${host}/302?to=${encodeURIComponent(to)}`, { maxRedirects: 1 })
        .catch((error: unknown) => error),
    ).toMatchObject({ code: "CAPABILITY_DENIED", message: expect.stringContaining(`Cannot fetch "${asked}"`) });
  expect(seen).toHaveLength(refusals.length);
});

test("fetch passes each request to observe and sends none that observe rejects", async () => {
  const seen: Seen[] = [];
  using server = startServer(seen);
  const host = `a.test:${server.port}`;
  const told: WireRequest[] = [];

  const refused = netFor(`private:${host}`).fetch(`http://${host}/302?to=/end`, {
    maxRedirects: 1,
    observe: (request) => {
      told.push(request);
      if (told.length === 2) throw new Error("disk full");
    },
  });

  expect(await refused.catch((error: unknown) => error)).toMatchObject({ message: "disk full" });
  expect(told.map(({ url }) => url)).toEqual([`http://${host}/302?to=/end`, `http://${host}/end`]);
  expect(seen.map(({ at }) => at)).toEqual([`${host}/302`]);
});

test("fetch drops credentials on a redirect to another origin and keeps them otherwise", async () => {
  const seen: Seen[] = [];
  using server = startServer(seen);
  const [a, b] = [`a.test:${server.port}`, `b.test:${server.port}`];
  const net = netFor(`private:${a}`, `private:${b}`);
  const headers = { Authorization: "Bearer s", Cookie: "s", "X-Api-Key": "s", Accept: "text/plain" };

  await net.fetch(`http://${a}/302?to=/end`, { maxRedirects: 1, headers });
  await net.fetch(`http://${a}/302?to=${encodeURIComponent(`http://${b}/end`)}`, { maxRedirects: 1, headers });

  const credentials = seen.map(({ at, headers: sent }) => [
    at,
    ["authorization", "cookie", "x-api-key", "accept"].filter((name) => name in sent),
  ]);
  expect(credentials).toEqual([
    [`${a}/302`, ["authorization", "cookie", "x-api-key", "accept"]],
    [`${a}/end`, ["authorization", "cookie", "x-api-key", "accept"]],
    [`${a}/302`, ["authorization", "cookie", "x-api-key", "accept"]],
    [`${b}/end`, ["accept"]],
  ]);
});

test("fetch changes method and body on a redirect per the Fetch standard", async () => {
  const cases: readonly (readonly [status: number, method: string, after: string])[] = [
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [303, "PUT", "GET"],
    [303, "HEAD", "HEAD"],
    [301, "PUT", "PUT"],
    [302, "DELETE", "DELETE"],
    [307, "POST", "POST"],
    [308, "POST", "POST"],
  ];
  const seen: Seen[] = [];
  using server = startServer(seen);
  const host = `a.test:${server.port}`;
  const net = netFor(`private:${host}`);

  for (const [status, method, after] of cases) {
    seen.length = 0;
    const hasBody = method !== "HEAD";
    await net.fetch(`http://${host}/${status}?to=/end`, {
      maxRedirects: 1,
      method,
      ...(hasBody ? { body: "text", headers: { "Content-Type": "text/plain" } } : {}),
    });
    const isKept = hasBody && method === after;
    expect({ status, method, ...seen[1], headers: seen[1]?.headers["content-type"] }).toEqual({
      status,
      method: after,
      at: `${host}/end`,
      headers: isKept ? "text/plain" : undefined,
      body: isKept ? "text" : "",
    });
  }
});

test("fetch drops the body headers together with the body", async () => {
  const seen: Seen[] = [];
  using server = startServer(seen);
  const host = `a.test:${server.port}`;
  const ofBody = ["content-encoding", "content-language", "content-location", "content-type"];
  const headers = Object.fromEntries([...ofBody, "accept-language"].map((name) => [name, "identity"]));

  await netFor(`private:${host}`).fetch(`http://${host}/302?to=/end`, {
    maxRedirects: 1,
    method: "POST",
    headers,
    body: "text",
  });

  const kept = seen.map(({ headers: sent }) => Object.keys(headers).filter((name) => name in sent));
  expect(kept).toEqual([[...ofBody, "accept-language"], ["accept-language"]]);
  expect(seen.map(({ headers: sent }) => sent["content-length"])).toEqual(["4", undefined]);
});

test("fetch rejects a redirect to an invalid URL or with credentials to another origin", async () => {
  const seen: Seen[] = [];
  using server = startServer(seen);
  const host = `a.test:${server.port}`;
  const net = netFor(`private:${host}`, `private:b.test:${server.port}`);

  for (const to of ["http://[", `http://user:secret@b.test:${server.port}/end`])
    expect(
      await net
        .fetch(`http://${host}/302?to=${encodeURIComponent(to)}`, { maxRedirects: 1 })
        .catch((error: unknown) => error),
    ).toBeInstanceOf(TypeError);
  expect(seen).toHaveLength(2);
});
