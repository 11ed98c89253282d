import { routes, type ExtensionInfo } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createManagerWorld, failureOf, writeExtension, type ManagerWorld } from "./testing/manager-world.ts";

const params = { id: "acme.sample" };
const sensitive = { reads: ["tools@1"] };
const harmless = { contributes: ["tools@1"] };

async function shown({ client }: ManagerWorld): Promise<ExtensionInfo> {
  return (await client.call(routes.getExtension, { params })).extension;
}

function write({ path }: ManagerWorld, manifest: object, word: string): Promise<void> {
  return writeExtension(path, { manifest: { ...manifest }, activate: `host.log.info("${word}")` });
}

test("[attack:extension-changed-code] code that was changed under a grant which was asked for does not run at the next start", async () => {
  await using world = await createManagerWorld();
  await write(world, sensitive, "first");
  await world.client.call(routes.addExtension, { body: { path: world.path, grant: sensitive } });
  await world.restart();
  expect(await shown(world)).toMatchObject({ phase: "active", isCodeChanged: false });

  await write(world, sensitive, "second");
  await world.restart();
  expect(await shown(world)).toMatchObject({
    phase: "failed",
    lastError: { code: "GRANT_REQUIRED", message: expect.stringContaining("its code has changed since") },
  });
  expect(world.logs.join("")).not.toContain("second");

  await world.client.call(routes.addExtension, { body: { path: world.path, grant: sensitive } });
  expect(await shown(world)).toMatchObject({ phase: "active", isCodeChanged: false });
  await world.restart();
  expect(await shown(world)).toMatchObject({ phase: "active", isCodeChanged: false });
});

test("[attack:extension-changed-data] a changed file of data counts as changed code", async () => {
  await using world = await createManagerWorld();
  await write(world, sensitive, "first");
  const file = join(world.path, "src/index.ts");
  await Bun.write(file, `import word from "./word.json";\nvoid word;\n${await Bun.file(file).text()}`);
  await Bun.write(join(world.path, "src/word.json"), '"first"');
  await world.client.call(routes.addExtension, { body: { path: world.path, grant: sensitive } });
  await world.restart();
  expect(await shown(world)).toMatchObject({ phase: "active" });

  await Bun.write(join(world.path, "src/word.json"), '"second"');
  await world.restart();

  expect(await shown(world)).toMatchObject({ phase: "failed", lastError: { code: "GRANT_REQUIRED" } });
});

test("[attack:extension-changed-harmless] changed code of what was never asked about runs, and is shown until an operator takes it", async () => {
  await using world = await createManagerWorld();
  await write(world, harmless, "first");
  await world.client.call(routes.addExtension, { body: { path: world.path } });

  await write(world, harmless, "second");
  await world.restart();
  expect(await shown(world)).toMatchObject({ phase: "active", isCodeChanged: true });
  expect(world.logs.join("")).toContain("code has changed since it was added; a swap takes it");

  await world.client.call(routes.swapExtension, { params, body: {} });
  expect(await shown(world)).toMatchObject({ phase: "active", isCodeChanged: false });
});

test("[attack:extension-swapped-code] a swap takes other code under a sensitive grant with that grant in hand alone, as narrow as it was", async () => {
  await using world = await createManagerWorld();
  const both = { reads: ["tools@1"], dependsOn: { optional: ["conversations@1"] } };
  await write(world, both, "first");
  const narrowed = { reads: ["tools@1"], uses: [] };
  await world.client.call(routes.addExtension, { body: { path: world.path, grant: narrowed } });
  expect(await failureOf(world.client.call(routes.swapExtension, { params, body: {} }))).toBe("it was taken");

  await write(world, both, "second");
  const refusal = await failureOf(world.client.call(routes.swapExtension, { params, body: {} }));

  expect(refusal).toMatchObject({
    code: "GRANT_REQUIRED",
    details: { isCodeChanged: true, grant: narrowed, newWords: [] },
  });
  expect(world.logs.join("")).not.toContain("second");
  const swapped = world.client.call(routes.swapExtension, { params, body: { grant: narrowed } });
  expect(await swapped).toMatchObject({ outcome: "swapped" });
});

test("what an older host has added is known by the code that it has at the first start", async () => {
  await using world = await createManagerWorld();
  await write(world, harmless, "first");
  const kept = { id: "acme.sample", path: world.path, versions: "^1.0.0", asked: {}, granted: {} };
  await world.host.close();
  await Bun.write(join(world.root, "data/extensions.json"), JSON.stringify({ extensions: [kept] }));
  await world.restart();
  expect(await shown(world)).toMatchObject({ phase: "active", isCodeChanged: false });

  await write(world, harmless, "second");
  await world.restart();

  expect(await shown(world)).toMatchObject({ phase: "active", isCodeChanged: true });
});
