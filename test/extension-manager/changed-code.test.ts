import { routes, type ExtensionInfo } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { createManagerWorld, failureOf, writeExtension, type ManagerWorld } from "./manager-world.ts";

const reader = import.meta.resolve("@incipit/host/extension-folder");
const params = { id: "acme.sample" };
const sensitive = { reads: ["tools@1"] };
const harmless = { contributes: ["tools@1"] };

async function shown({ client }: ManagerWorld): Promise<ExtensionInfo> {
  return (await client.call(routes.getExtension, { params })).extension;
}

function write({ path }: ManagerWorld, manifest: object, word: string): Promise<void> {
  return writeExtension(path, { manifest: { ...manifest }, activate: `host.log.info("${word}")` });
}

test("[attack:extension-changed-code] code changed under a confirmed grant does not run at the next start", async () => {
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

test("[attack:extension-changed-links] a package.json or tsconfig.json that links to another file counts as changed code", async () => {
  await using world = await createManagerWorld();
  const { path } = world;
  await write(world, sensitive, "entry");
  const whole = z.looseObject({}).parse(await Bun.file(join(path, "package.json")).json());
  const code = await Bun.file(join(path, "src/index.ts")).text();
  const files = {
    "src/index.ts": `import "./other.ts"; import "dep"; import "dep/other"; import "own"; ${code}`,
    "src/other.ts": `import "./index.ts"; ${code.replace("entry", "other")}`,
    "node_modules/dep/a.js": 'import "./b.js";',
    "node_modules/dep/b.js": 'import "./a.js";',
  };
  for (const [name, text] of Object.entries(files)) await Bun.write(join(path, name), text);
  const before = {
    "package.json": { ...whole, exports: "./src/index.ts" },
    "tsconfig.json": { compilerOptions: { paths: { own: ["./src/index.ts"] } } },
    "node_modules/dep/package.json": { exports: { ".": "./a.js", "./other": "./b.js" } },
  };
  const after = {
    "package.json": { ...whole, exports: "./src/other.ts" },
    "tsconfig.json": { compilerOptions: { paths: { own: ["./src/other.ts"] } } },
    "node_modules/dep/package.json": { exports: { ".": "./b.js", "./other": "./a.js" } },
  };
  const read = async (changed?: keyof typeof after): Promise<string> => {
    for (const [name, value] of Object.entries({ ...before, ...(changed && { [changed]: after[changed] }) }))
      await Bun.write(join(path, name), JSON.stringify(value));
    // In a separate process: the bundler caches such files.
    const script = `const { readExtensionFolder } = await import(${JSON.stringify(reader)});
      console.log((await readExtensionFolder(${JSON.stringify(path)})).sha256)`;
    return Bun.$`${process.execPath} -e ${script}`.text();
  };
  const known = await read();

  expect(await read()).toBe(known);
  expect(await read("package.json")).not.toBe(known);
  expect(await read("tsconfig.json")).not.toBe(known);
  expect(await read("node_modules/dep/package.json")).not.toBe(known);
});

test("[attack:extension-changed-data] a changed data file counts as changed code", async () => {
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

test("[attack:extension-changed-harmless] changed code without a confirmed grant runs, and is shown until accepted", async () => {
  await using world = await createManagerWorld();
  await write(world, harmless, "first");
  await world.client.call(routes.addExtension, { body: { path: world.path } });

  await write(world, harmless, "second");
  await world.restart();
  expect(await shown(world)).toMatchObject({ phase: "active", isCodeChanged: true });
  expect(world.logs.join("")).toContain("code has changed since it was added; a swap loads it");

  await world.client.call(routes.swapExtension, { params, body: {} });
  expect(await shown(world)).toMatchObject({ phase: "active", isCodeChanged: false });
});

test("[attack:extension-swapped-code] a swap accepts other code under a sensitive grant only with that grant", async () => {
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

test("an extension added by an older host is identified by its code", async () => {
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

test("[attack:extension-changed-compiler] compiler settings that change the output count as changed code", async () => {
  await using world = await createManagerWorld();
  const { path, root } = world;
  await write(world, sensitive, "entry");
  const settings = (experimentalDecorators: boolean): object => ({ compilerOptions: { experimentalDecorators } });
  const put = async (name: string, text: object): Promise<void> => {
    await Bun.write(join(root, name), JSON.stringify(text));
  };
  await put("sample/tsconfig.json", settings(true));
  await world.client.call(routes.addExtension, { body: { path, grant: sensitive } });
  await world.restart();
  expect(await shown(world)).toMatchObject({ phase: "active", isCodeChanged: false });

  await put("sample/tsconfig.json", settings(false));
  await world.restart();
  expect(await shown(world)).toMatchObject({ phase: "failed", lastError: { code: "GRANT_REQUIRED" } });

  await put("sample/tsconfig.json", { extends: "../base.json" });
  await put("base.json", settings(true));
  await world.client.call(routes.addExtension, { body: { path, grant: sensitive } });
  await world.restart();
  expect(await shown(world)).toMatchObject({ phase: "active", isCodeChanged: false });
  await put("base.json", settings(false));
  await world.restart();
  expect(await shown(world)).toMatchObject({ phase: "failed", lastError: { code: "GRANT_REQUIRED" } });

  // Settings that do not change the output do not count.
  await put("base.json", settings(true));
  await put("sample/tsconfig.json", { extends: "../base.json", compilerOptions: { strict: true } });
  await world.restart();
  expect(await shown(world)).toMatchObject({ phase: "active", isCodeChanged: false });
});
