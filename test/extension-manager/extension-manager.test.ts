import {
  ApiClientError,
  routes,
  type CapabilitiesInfo,
  type Client,
  type ExtensionInfo,
} from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createManagerWorld, failureOf, writeExtension, type ExtensionSource } from "./manager-world.ts";

const id = "acme.sample";
const params = { id };

async function get(client: Client): Promise<ExtensionInfo> {
  return (await client.call(routes.getExtension, { params })).extension;
}

async function rendered(client: Client, variable: string): Promise<string> {
  const body = { template: `[${variable}]` };
  return (await client.call(routes.previewSystemPrompt, { body })).systemPrompt;
}

function withVariable(value: string, manifest: Readonly<Record<string, unknown>> = {}): ExtensionSource {
  return {
    manifest: { contributes: ["prompt-variables@1"], ...manifest },
    activate: `host.contribute(definePoint("prompt-variables@1"), {
      type: "sample", variables: [{ name: "text", description: "a text" }],
      resolve: async () => ({ value: String(${value}) }),
    })`,
  };
}

test("add loads an extension from its folder into the running host, and remove unloads it", async () => {
  await using world = await createManagerWorld();
  const { client, path } = world;
  await writeExtension(path, withVariable('"one"'));

  const { extension } = await client.call(routes.addExtension, { body: { path } });
  expect(extension).toMatchObject({ id, path, trust: "standard", phase: "active", generation: 1 });
  expect(await rendered(client, "sample:text")).toBe("one");

  await client.call(routes.removeExtension, { params });
  expect(await rendered(client, "sample:text")).toBe("");
  expect(await failureOf(get(client))).toMatchObject({ code: "EXTENSION_UNKNOWN", status: 404 });
});

test("swap loads new code including imported files, and keeps the old version on failure", async () => {
  await using world = await createManagerWorld();
  const { client, path } = world;
  await writeExtension(path, withVariable('"one"'));
  await client.call(routes.addExtension, { body: { path } });

  const source = await Bun.file(join(path, "src/index.ts")).text();
  await Bun.write(join(path, "src/value.ts"), 'export const value = "two";');
  await Bun.write(
    join(path, "src/index.ts"),
    `import { value } from "./value.ts";\n${source.replace('"one"', "value")}`,
  );
  await client.call(routes.swapExtension, { params, body: {} });
  expect(await rendered(client, "sample:text")).toBe("two");
  await Bun.write(join(path, "src/value.ts"), 'export const value = "three";');
  const swapped = await client.call(routes.swapExtension, { params, body: {} });
  expect(swapped).toMatchObject({ outcome: "swapped", to: { generation: 3 } });
  expect(await rendered(client, "sample:text")).toBe("three");

  await Bun.write(join(path, "src/value.ts"), 'export const value = "four"; throw new Error("no luck");');
  expect(await failureOf(client.call(routes.swapExtension, { params, body: {} }))).toMatchObject({
    code: "CODE_FAILED",
    message: expect.stringContaining("src/value.ts:1"),
  });
  await writeExtension(path, { ...withVariable('"five"'), activate: 'throw new Error("no luck")' });
  const kept = await client.call(routes.swapExtension, { params, body: {} });
  expect(kept).toMatchObject({
    outcome: "kept-old",
    error: { code: "ACTIVATE_FAILED", message: expect.stringContaining("src/index.ts:") },
  });
  expect(await rendered(client, "sample:text")).toBe("three");
});

test("swap stores version, folder and grant once the new one serves, before draining ends", async () => {
  await using world = await createManagerWorld({ ONE: "1" });
  const { client, path } = world;
  const work = new EventTarget();
  const name = `work of ${path}`;
  Object.assign(globalThis, { [name]: work }); // The extension's code runs in this process.
  await writeExtension(path, {
    activate: `const work = globalThis[${JSON.stringify(name)}];
      host.waitUntil(new Promise((resolve) => work.addEventListener("done", resolve, { once: true })))`,
  });
  await client.call(routes.addExtension, { body: { path } });
  const next = join(world.root, "next");
  await writeExtension(next, { manifest: { version: "2.0.0", capabilities: { env: ["ONE"] } } });

  const swapping = client.call(routes.swapExtension, { params, body: { path: next, grant: { env: ["ONE"] } } });
  let health = await get(client);
  while (health.generation === 1) health = await get(client);

  expect(health).toMatchObject({ version: "2.0.0", path: next, draining: { generation: 1 } });
  expect(await Bun.file(join(world.root, "data/extensions.json")).json()).toMatchObject({
    extensions: [{ path: next, versions: "^2.0.0", granted: { env: ["ONE"] } }],
  });
  work.dispatchEvent(new Event("done"));
  await swapping;
  Reflect.deleteProperty(globalThis, name);
});

test("a failed swap of a stopped extension keeps its previous version loadable", async () => {
  await using world = await createManagerWorld();
  const { client, path } = world;
  await writeExtension(path);
  await client.call(routes.addExtension, { body: { path } });
  await client.call(routes.unloadExtension, { params });
  const next = join(world.root, "next");
  await writeExtension(next, { manifest: { version: "2.0.0" }, activate: 'throw new Error("no luck")' });

  const refusal = await failureOf(client.call(routes.swapExtension, { params, body: { path: next } }));
  expect(refusal).toMatchObject({ code: "ACTIVATE_FAILED" });

  const { extension } = await client.call(routes.loadExtension, { params });
  expect(extension).toMatchObject({ phase: "active", version: "1.0.0", path });
});

test("add lists requested capabilities, grants the operator's choice, and stores it across restarts", async () => {
  await using world = await createManagerWorld({ ONE: "1", TWO: "2" });
  const { client, path } = world;
  const reads = withVariable('host.env.get("ONE")', { capabilities: { env: ["ONE", "TWO"] } });
  await writeExtension(path, reads);

  const refusal = await failureOf(client.call(routes.addExtension, { body: { path } }));
  expect(refusal).toMatchObject({
    code: "GRANT_REQUIRED",
    status: 403,
    details: {
      id,
      asked: { env: ["ONE", "TWO"] },
      newWords: expect.arrayContaining([expect.stringContaining("ONE")]),
    },
  });
  await client.call(routes.addExtension, { body: { path, grant: { env: ["ONE"] } } });
  expect(await rendered(client, "sample:text")).toBe("1");

  const again = await world.restart();
  expect(await get(again.client)).toMatchObject({
    phase: "active",
    asked: { env: ["ONE", "TWO"] },
    granted: { env: ["ONE"] },
  });
  expect(await rendered(again.client, "sample:text")).toBe("1");
});

test("[granted-and-no-more] a version with new capabilities is rejected, and the old one keeps serving", async () => {
  await using world = await createManagerWorld({ ONE: "1" });
  const { client, path } = world;
  await writeExtension(path, withVariable('host.env.get("ONE")', { capabilities: { env: ["ONE"] } }));
  await client.call(routes.addExtension, { body: { path, grant: { env: ["ONE"] } } });

  const more = withVariable('"more"', { version: "1.1.0", capabilities: { env: ["ONE"], spawn: ["git"] } });
  await writeExtension(path, more);
  const refusal = await failureOf(client.call(routes.swapExtension, { params, body: {} }));
  expect(refusal).toMatchObject({
    code: "GRANT_REQUIRED",
    details: { newWords: [expect.stringContaining("git")] },
  });
  expect(await rendered(client, "sample:text")).toBe("1");

  await writeExtension(path, withVariable('"less"', { version: "1.2.0" }));
  await client.call(routes.swapExtension, { params, body: {} });
  expect(await rendered(client, "sample:text")).toBe("less");
  await writeExtension(path, withVariable('"two"', { version: "2.0.0", capabilities: { env: ["ONE"] } }));
  expect(await failureOf(client.call(routes.swapExtension, { params, body: {} }))).toMatchObject({
    code: "GRANT_REQUIRED",
    message: expect.stringContaining("^1.2.0"),
  });
});

test("[granted-and-no-more] a grant beyond the manifest has no effect and is not stored", async () => {
  await using world = await createManagerWorld();
  const { client, path } = world;
  const manifest = { id, version: "1.0.0", api: "^1" };
  await writeExtension(path, {
    code: `import { readFileSync } from "node:fs";
import { defineExtension } from "@incipit/kernel";
export default defineExtension(${JSON.stringify(manifest)}, () => void readFileSync("/"));`,
  });

  const refusal = await failureOf(client.call(routes.addExtension, { body: { path, grant: { system: true } } }));
  expect(refusal).toMatchObject({ code: "IMPORT_DENIED", message: expect.stringContaining("node:fs") });
  await writeExtension(path);
  await client.call(routes.addExtension, { body: { path, grant: { system: true, env: true } } });

  expect(await get(client)).toMatchObject({ asked: {}, granted: {} });
  expect(await Bun.file(join(world.root, "data/extensions.json")).text()).not.toContain("system");
});

test("[granted-and-no-more] an extension that could grant itself permissions requires the system capability", async () => {
  await using world = await createManagerWorld({ ONE: "1" });
  const { client, path } = world;
  const dependsOn = { optional: ["extension-manager@1"] };
  await writeExtension(path, { manifest: { dependsOn } });

  expect(await failureOf(client.call(routes.addExtension, { body: { path } }))).toMatchObject({
    code: "CAPABILITY_DENIED",
    message: expect.stringContaining('"extension-manager@1"'),
  });
  await writeExtension(path, { manifest: { dependsOn, capabilities: { system: true } } });
  await client.call(routes.addExtension, { body: { path, grant: { system: true } } });

  expect(await get(client)).toMatchObject({ phase: "active", granted: { system: true } });
});

test("an invalid grant entry is rejected by name, and nothing is added", async () => {
  await using world = await createManagerWorld();
  const { client, path } = world;
  await writeExtension(path, { manifest: { capabilities: { net: ["api.acme.dev:443"], fs: { read: ["/etc"] } } } });

  const grants: readonly (readonly [CapabilitiesInfo, string])[] = [
    [{ net: ["api.acme.dev"] }, '"api.acme.dev"'],
    [{ fs: { read: ["etc"] } }, '"etc"'],
  ];
  for (const [grant, entry] of grants) {
    const refusal = await failureOf(client.call(routes.addExtension, { body: { path, grant } }));
    expect(refusal).toMatchObject({ code: "INVALID_REQUEST", message: expect.stringContaining(entry) });
  }
  expect(await failureOf(get(client))).toMatchObject({ code: "EXTENSION_UNKNOWN" });
});

test("[granted-and-no-more] a denial is counted and shown, and logged once", async () => {
  await using world = await createManagerWorld({ ONE: "1", TWO: "2" });
  const { client, path } = world;
  const asks = withVariable(
    '(() => { try { return host.env.get("TWO") } catch (error) { return error.code } })()',
    {
      capabilities: { env: ["ONE", "TWO"] },
    },
  );
  await writeExtension(path, asks);
  await client.call(routes.addExtension, { body: { path, grant: { env: ["ONE"] } } });

  for (let count = 0; count < 3; count += 1)
    expect(await rendered(client, "sample:text")).toBe("CAPABILITY_DENIED");

  const { refusals } = await get(client);
  expect(refusals).toMatchObject({ count: 3, latest: [{ count: 3, message: expect.stringContaining('"TWO"') }] });
  expect(world.logs.filter((line) => line.includes('"TWO"'))).toHaveLength(1);
});

test("an extension with a missing required service waits, and starts when it appears", async () => {
  await using world = await createManagerWorld();
  const { client, path } = world;
  await writeExtension(path, { manifest: { dependsOn: { required: ["acme.other@1"] } } });
  const { extension } = await client.call(routes.addExtension, { body: { path } });
  expect(extension).toMatchObject({ phase: "waiting", waitsFor: ["acme.other@1"] });
  expect(await client.call(routes.getHealth)).toMatchObject({ status: "degraded" });

  const other = join(world.root, "other");
  await writeExtension(other, {
    manifest: { id: "acme.other", provides: ["acme.other@1"] },
    activate: 'host.provideService(defineHandle("acme.other@1"), {})',
  });
  await client.call(routes.addExtension, { body: { path: other } });

  expect(await get(client)).toMatchObject({ phase: "active", waitsFor: [] });
  expect(await client.call(routes.getHealth)).toMatchObject({ status: "ok", problems: [] });
});

test("a release that throws or hangs is reported, and the others continue", async () => {
  await using world = await createManagerWorld({}, { releaseTimeoutMs: 3_000 });
  const { client, path } = world;
  await writeExtension(path, {
    activate: `host.defer("last", () => { throw new Error("no luck") });
      host.defer("hangs", () => new Promise(() => {}))`,
  });
  await client.call(routes.addExtension, { body: { path } });

  const { extension } = await client.call(routes.unloadExtension, { params });

  expect(extension).toMatchObject({ phase: "stopped", lastError: { code: "RELEASE_FAILED" } });
  for (const label of ["last", "hangs"]) expect(world.logs.join("")).toContain(`Cannot release "${label}"`);
  expect((await client.call(routes.loadExtension, { params })).extension).toMatchObject({ phase: "active" });
});

test("a folder missing at the next start is listed as failed until restored", async () => {
  await using world = await createManagerWorld();
  await writeExtension(world.path, withVariable('"here"'));
  await world.client.call(routes.addExtension, { body: { path: world.path } });
  await rename(world.path, `${world.path}.away`);

  const { client } = await world.restart();
  expect(await get(client)).toMatchObject({ phase: "failed", lastError: { code: "FOLDER_INVALID" } });
  expect(await failureOf(client.call(routes.loadExtension, { params }))).toMatchObject({ code: "FOLDER_INVALID" });
  await rename(`${world.path}.away`, world.path);

  expect((await client.call(routes.loadExtension, { params })).extension).toMatchObject({ phase: "active" });
  expect(await rendered(client, "sample:text")).toBe("here");
});

test("extensions.paths loads extensions without capabilities; others fail until granted", async () => {
  await using world = await createManagerWorld({ ONE: "1" });
  const free = join(world.root, "free");
  await writeExtension(free, withVariable('"free"', { id: "acme.free" }));
  await writeExtension(world.path, {
    ...withVariable('host.env.get("ONE")', { capabilities: { env: ["ONE"] } }),
  });
  const source = await Bun.file(join(world.path, "src/index.ts")).text();
  await Bun.write(join(world.path, "src/index.ts"), source.replace('type: "sample"', 'type: "granted"'));

  const { client } = await world.restart(`extensions.paths = ["${free}", "${world.path}"]`);
  expect(await rendered(client, "sample:text")).toBe("free");
  expect(await get(client)).toMatchObject({ phase: "failed", lastError: { code: "GRANT_REQUIRED" } });

  await client.call(routes.addExtension, { body: { path: world.path, grant: { env: ["ONE"] } } });
  expect(await rendered(client, "granted:text")).toBe("1");
});

test("unloadable extensions are listed at the start: duplicate folder names and replaced folders", async () => {
  await using world = await createManagerWorld();
  await writeExtension(world.path);
  await world.client.call(routes.addExtension, { body: { path: world.path } });
  await writeExtension(world.path, { manifest: { id: "acme.renamed" } });

  const twins = [join(world.root, "a/ext"), join(world.root, "b/ext")];
  const { client } = await world.restart(`extensions.paths = ${JSON.stringify(twins)}`);

  const { extensions } = await client.call(routes.listExtensions);
  const failed = extensions.filter(({ phase }) => phase === "failed").map((each) => `${each.id} ${each.path}`);
  expect(failed.toSorted()).toEqual([`${id} ${world.path}`, `folder.ext ${twins[0]}`, `folder.ext-2 ${twins[1]}`]);
  expect((await get(client)).lastError?.message).toContain('"acme.renamed"');
  await client.call(routes.removeExtension, { params });
  await client.call(routes.addExtension, { body: { path: world.path } });
  expect((await client.call(routes.getExtension, { params: { id: "acme.renamed" } })).extension).toMatchObject({
    phase: "active",
  });
});

test("a failed extension stays listed after another failed attempt", async () => {
  await using world = await createManagerWorld();
  const provides = ["acme.x@1"];
  const activate = 'host.provideService(defineHandle("acme.x@1"), {})';
  const other = join(world.root, "other");
  await writeExtension(other, { manifest: { id: "acme.other", provides }, activate });
  await writeExtension(world.path, { manifest: { provides, capabilities: { env: ["ONE"] } }, activate });
  const { client } = await world.restart(`extensions.paths = ["${other}", "${world.path}"]`);

  const body = { path: world.path, grant: {} };
  expect(await failureOf(client.call(routes.addExtension, { body }))).toMatchObject({ code: "DUPLICATE_SERVICE" });

  expect(await get(client)).toMatchObject({ phase: "failed", lastError: { code: "DUPLICATE_SERVICE" } });
});

test("add accepts an extension that failed at the start", async () => {
  await using world = await createManagerWorld();
  await writeExtension(world.path, { activate: 'throw new Error("no luck")' });
  const { client } = await world.restart(`extensions.paths = ["${world.path}"]`);
  expect(await get(client)).toMatchObject({ phase: "failed" });

  await writeExtension(world.path);
  await client.call(routes.addExtension, { body: { path: world.path } });

  expect(await get(client)).toMatchObject({ phase: "active", lastError: null });
});

test("add rejects another extension's folder, and swap rejects a grant for a built-in one", async () => {
  await using world = await createManagerWorld();
  const { client, path } = world;
  await writeExtension(path);
  await client.call(routes.addExtension, { body: { path } });
  await writeExtension(path, { manifest: { id: "acme.renamed" } });

  expect(await failureOf(client.call(routes.addExtension, { body: { path } }))).toMatchObject({
    code: "DUPLICATE_EXTENSION",
    message: expect.stringContaining(`"${id}"`),
  });
  const builtIn = { params: { id: "provider-offline" }, body: { grant: { env: ["ONE"] } } };
  expect(await failureOf(client.call(routes.swapExtension, builtIn))).toMatchObject({ code: "INVALID_REQUEST" });
});

test("an extension receives only settings in the configuration, under any id", async () => {
  await using world = await createManagerWorld();
  const schema = `{ "~standard": { version: 1, vendor: "sample", validate: (value) => ({ value }) } }`;
  await writeExtension(world.path, withVariable(`JSON.stringify(host.config(${schema}))`, { id: "constructor" }));

  await world.client.call(routes.addExtension, { body: { path: world.path } });

  expect(await rendered(world.client, "sample:text")).toBe("{}");
});

test("an extension receives the configured settings for its id", async () => {
  await using world = await createManagerWorld();
  const schema = `{ "~standard": { version: 1, vendor: "sample", validate: (value) => ({ value }) } }`;
  await writeExtension(world.path, withVariable(`host.config(${schema}).city`));
  await world.client.call(routes.addExtension, { body: { path: world.path } });

  const { client } = await world.restart('[extensions.settings."acme.sample"]\ncity = "Turin"');

  expect(await rendered(client, "sample:text")).toBe("Turin");
});

test("the model of an added extension can be the default one", async () => {
  await using world = await createManagerWorld();
  await writeExtension(world.path, {
    manifest: { contributes: ["model-providers@1"] },
    activate: `host.contribute(definePoint("model-providers@1"), { id: "acme", models: ["one"], problem: null, stream: async function* () {
      yield { type: "finish", finishReason: "stop", usage: { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null } };
    } })`,
  });
  const grant = { contributes: ["model-providers@1"] };
  await world.client.call(routes.addExtension, { body: { path: world.path, grant } });

  const { client } = await world.restart('model = "acme/one"\n[providers.acme]\nkind = "extension"');

  const { models } = await client.call(routes.listModels);
  expect(models.find(({ isDefault }) => isDefault)).toMatchObject({ id: "acme/one", isReady: true });
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  expect(conversation.model).toBe("acme/one");
});

test("code of a disabled extension does not run until loaded", async () => {
  await using world = await createManagerWorld();
  await writeExtension(world.path, withVariable('"here"'));
  await world.client.call(routes.addExtension, { body: { path: world.path } });
  const file = join(world.path, "src/index.ts");
  const good = await Bun.file(file).text();
  await Bun.write(file, `throw new Error("It ran");\n${good}`);

  const { client } = await world.restart(`extensions.disabled = ["${id}"]`);
  expect(await get(client)).toMatchObject({ phase: "stopped", lastError: null });
  expect(await failureOf(client.call(routes.loadExtension, { params }))).toMatchObject({ code: "CODE_FAILED" });
  await Bun.write(file, good);
  await client.call(routes.swapExtension, { params, body: {} });

  expect(await rendered(client, "sample:text")).toBe("here");
});

test("unknown, duplicate and mismatched extensions are rejected by name", async () => {
  await using world = await createManagerWorld();
  const { client, path } = world;
  await writeExtension(path);
  await client.call(routes.addExtension, { body: { path } });

  const refusals = await Promise.all(
    [
      client.call(routes.swapExtension, { params: { id: "nobody" }, body: {} }),
      client.call(routes.addExtension, { body: { path } }),
      client.call(routes.swapExtension, { params: { id: "system-prompt" }, body: { path } }),
      client.call(routes.addExtension, { body: { path: "relative" } }),
      client.call(routes.addExtension, { body: { path: join(world.root, "nowhere") } }),
    ].map(failureOf),
  );

  expect(refusals.map((error) => (error instanceof ApiClientError ? error.code : "taken"))).toEqual([
    "EXTENSION_UNKNOWN",
    "DUPLICATE_EXTENSION",
    "MANIFEST_INVALID",
    "FOLDER_INVALID",
    "FOLDER_INVALID",
  ]);
});

test("[set-aside] a damaged list of added extensions is set aside and reported, and the host starts", async () => {
  await using world = await createManagerWorld();
  await writeExtension(world.path);
  await world.client.call(routes.addExtension, { body: { path: world.path } });
  const file = join(world.root, "data/extensions.json");
  await Bun.write(file, '{ "extensions": [ {');

  const { client } = await world.restart();

  expect(world.logs.join("")).toContain("was set aside as");
  expect(await client.call(routes.getHealth)).toMatchObject({
    status: "degraded",
    problems: [expect.stringContaining("add the extensions again")],
  });
  expect(
    await Array.fromAsync(new Bun.Glob("extensions.json.damaged-*").scan(join(world.root, "data"))),
  ).toHaveLength(1);
  await rm(file, { force: true });
});
