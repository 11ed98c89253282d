import {
  templateConflictSchema,
  templateDiffResponseSchema,
  templateInForceSchema,
  templateVersionResponseSchema,
  templateVersionsResponseSchema,
  type TemplateVersion,
} from "@incipit/schema";
import { errorResponseSchema, type ErrorResponse, putTemplateResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import type { HostProcess } from "../support/host-process.ts";
import { HostWorld } from "../support/host-world.ts";

interface World extends AsyncDisposable {
  readonly host: HostProcess;
  readonly restart: () => Promise<HostProcess>;
}

async function createWorld(): Promise<World> {
  const hosts = await HostWorld.create({ model: "offline/echo" });
  let host = await hosts.start();
  return {
    get host() {
      return host;
    },
    async restart() {
      await host.kill("SIGKILL");
      return (host = await hosts.start());
    },
    [Symbol.asyncDispose]: () => hosts[Symbol.asyncDispose](),
  };
}

function put(host: HostProcess, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return host.fetch("/system-prompt", { method: "PUT", body, headers });
}

async function versionsOf(host: HostProcess): Promise<readonly TemplateVersion[]> {
  return templateVersionsResponseSchema.parse(await host.json("/system-prompt/versions?limit=1000")).versions;
}

async function errorOf(response: Response): Promise<ErrorResponse["error"] & { readonly status: number }> {
  return { status: response.status, ...errorResponseSchema.parse(await response.json()).error };
}

test("[never-lost] template versions can be listed, read, compared and restored, also after a kill", async () => {
  await using world = await createWorld();
  await put(world.host, { template: "Be brief.\n" });
  await put(world.host, { template: "Be brief.\nBe kind.\n", author: "ann", note: "kinder" });
  await world.host.json("/system-prompt?author=bob&note=too%20kind", { method: "DELETE" });
  const host = await world.restart();

  const versions = await versionsOf(host);
  const second = templateVersionResponseSchema.parse(await host.json("/system-prompt/versions/2"));
  const diff = templateDiffResponseSchema.parse(await host.json("/system-prompt/versions/2/diff"));
  const back = templateDiffResponseSchema.parse(await host.json("/system-prompt/versions/1/diff?against=2"));
  const restored = await host.fetch("/system-prompt/versions/1/restore", { method: "POST" });
  const inForce = templateInForceSchema.parse(await restored.json());

  expect(versions.map(({ version, author, note, sizeBytes }) => [version, author, note, sizeBytes])).toEqual([
    [3, "bob", "too kind", 0],
    [2, "ann", "kinder", 19],
    [1, "http", null, 10],
  ]);
  expect(second.template).toBe("Be brief.\nBe kind.\n");
  expect([diff.from, diff.to, diff.hunks[0]?.lines]).toEqual([1, 2, [" Be brief.", "+Be kind."]]);
  expect(back.hunks[0]?.lines).toEqual([" Be brief.", "-Be kind."]);
  expect(inForce).toMatchObject({ template: "Be brief.\n", source: "stored", version: 4 });
  expect(restored.headers.get("etag")).toBe(inForce.etag);
  expect((await versionsOf(host))[0]).toMatchObject({ version: 4, note: "restored from version 1" });
});

test("a conflicting write gets 409 with both texts, or without If-Match wins", async () => {
  await using world = await createWorld();
  const { host } = world;
  const read = await host.fetch("/system-prompt");
  const etag = read.headers.get("etag") ?? "";
  expect(templateInForceSchema.parse(await read.json())).toMatchObject({ source: "default", version: null, etag });

  const first = await put(host, { template: "first", author: "ann" }, { "if-match": etag });
  const second = await put(host, { template: "second" }, { "if-match": etag });
  const conflict = await errorOf(second);
  const details = templateConflictSchema.parse(conflict.details);
  const third = await put(host, { template: "second" }, { "if-match": `"other", ${details.etag}` });
  const last = await put(host, { template: "third" });

  expect(first.status).toBe(200);
  expect(conflict).toMatchObject({ status: 409, code: "TEMPLATE_CONFLICT" });
  expect(details).toMatchObject({ yours: "second", theirs: "first", version: 1, author: "ann" });
  expect(first.headers.get("etag")).toBe(details.etag);
  expect([third.status, last.status]).toEqual([200, 200]);
  expect((await versionsOf(host)).map(({ version }) => version)).toEqual([3, 2, 1]);
  for (const [path, method] of [
    ["/system-prompt", "DELETE"],
    ["/system-prompt/versions/1/restore", "POST"],
  ] as const)
    expect((await host.fetch(path, { method, headers: { "if-match": etag } })).status).toBe(409);
});

test("If-None-Match: * stores the first template only", async () => {
  await using world = await createWorld();
  const headers = { "if-none-match": "*" };

  expect((await put(world.host, { template: "first" }, headers)).status).toBe(200);
  expect((await put(world.host, { template: "second" }, headers)).status).toBe(409);
  expect((await put(world.host, { template: "second" }, { "if-match": "*" })).status).toBe(200);
  await world.host.json("/system-prompt", { method: "DELETE" });
  expect((await put(world.host, { template: "second" }, { "if-match": "*" })).status).toBe(409);
});

test("an invalid If-Match, version, author or note is 400 with advice, and changes nothing", async () => {
  await using world = await createWorld();
  const { host } = world;
  await put(host, { template: "kept" });

  for (const header of ["if-match", "if-none-match"])
    for (const value of ["1", '"1', "*, *", ","])
      expect(await errorOf(await put(host, { template: "x" }, { [header]: value }))).toMatchObject({
        status: 400,
        code: "INVALID_REQUEST",
        message: expect.stringContaining("ETag"),
      });
  for (const body of [
    { template: "x", author: "a\nb" },
    { template: "x", note: "n".repeat(1_001) },
    { template: "x", note: 7 },
  ])
    expect((await put(host, body)).status).toBe(400);
  for (const path of ["0", "-1", "1.5", "x", "1e3", "9999999999999"])
    expect(await errorOf(await host.fetch(`/system-prompt/versions/${path}`))).toMatchObject({ status: 400 });
  for (const path of ["/system-prompt/versions?cursor=x", "/system-prompt/versions/1/diff?against=x"])
    expect((await host.fetch(path)).status).toBe(400);
  for (const path of ["2", "2/diff", "1/diff?against=2"])
    expect(await errorOf(await host.fetch(`/system-prompt/versions/${path}`))).toMatchObject({
      status: 404,
      code: "TEMPLATE_VERSION_UNKNOWN",
    });
  expect(await versionsOf(host)).toHaveLength(1);
});

test("[never-lost] concurrent writes over HTTP are all stored, and one per ETag", async () => {
  await using world = await createWorld();
  const { host } = world;
  const texts = Array.from({ length: 60 }, (_, at) => `text ${at}`);
  const answers = await Promise.all(texts.map((template) => put(host, { template })));
  const etag = (await host.fetch("/system-prompt")).headers.get("etag") ?? "";
  const conditional = await Promise.all(
    texts.map((template) => put(host, { template: `${template}!` }, { "if-match": etag })),
  );

  expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200));
  expect(conditional.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...texts.slice(1).map(() => 409),
  ]);
  const versions = await versionsOf(host);
  expect(versions.map(({ version }) => version)).toEqual(versions.map((_, at) => 61 - at));
  const kept = await Promise.all(
    versions.map(async ({ version }) =>
      templateVersionResponseSchema.parse(await host.json(`/system-prompt/versions/${version}`)),
    ),
  );
  expect(kept.slice(1).map(({ template }) => template)).toEqual(expect.arrayContaining(texts));
});

test("[never-lost] SIGKILL during many writes keeps every acknowledged version complete", async () => {
  await using world = await createWorld();
  const acknowledged = new Map<number, string>();
  for (let round = 0; round < 4; round += 1) {
    const { host } = world;
    const enough = Promise.withResolvers<void>();
    let answers = 0;
    const writes = Array.from({ length: 40 }, async (_, at) => {
      const template = `text ${round}.${at} ${"x".repeat(at * 500)}`;
      const response = await put(host, { template });
      const { version } = putTemplateResponseSchema.parse(await response.json());
      acknowledged.set(version ?? 0, template);
      answers += 1;
      if (answers === 10 + round) enough.resolve();
    });
    const ended = Promise.allSettled(writes);
    await Promise.race([enough.promise, ended]);
    await world.restart();
    await ended;
  }

  const { host } = world;
  const versions = await versionsOf(host);
  expect(acknowledged.size).toBeGreaterThan(40);
  expect(versions.map(({ version }) => version)).toEqual(versions.map((_, at) => versions.length - at));
  for (const { version, sha256 } of versions) {
    const { template } = templateVersionResponseSchema.parse(await host.json(`/system-prompt/versions/${version}`));
    expect(new Bun.CryptoHasher("sha256").update(template ?? "").digest("hex")).toBe(sha256 ?? "");
    if (acknowledged.has(version)) expect(template).toBe(acknowledged.get(version) ?? "");
  }
  expect(versions.length).toBeGreaterThanOrEqual(Math.max(...acknowledged.keys()));
  expect(await host.json("/health")).toMatchObject({ status: "ok" });
});
