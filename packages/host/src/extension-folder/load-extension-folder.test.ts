import { defineHandle, KernelError, type Extension } from "@incipit/kernel";
import { messageSchema } from "@incipit/schema";
import { modelProvidersPoint } from "@incipit/service-contract";
import { createTempFolder, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { extensionOfStack } from "./extension-stack.ts";
import { readExtensionFolder } from "./read-extension-folder.ts";
import { extensionCode, failureOf, manifest, messageOf, writeExtension } from "./testing/write-extension.ts";

const weatherHandle = defineHandle<{ ask(): unknown }>("acme.weather@1");
const ungranted = { isSystemGranted: false };
const granted = { isSystemGranted: true };

async function answerOf(extension: Extension): Promise<unknown> {
  await using started = await startExtension(extension);
  return await started.service(weatherHandle).ask();
}

test("load returns the code of its read; a new read sees changes in any file", async () => {
  await using temp = await createTempFolder();
  const index = extensionCode("[text, next()]", 'import { next, text } from "./other.ts";');
  const other = (text: string) =>
    `let count = 0;\nexport const text = "${text}";\nexport const next = () => ++count;`;
  const folder = await writeExtension(temp.path, { "src/index.ts": index, "src/other.ts": other("first") });

  const first = await readExtensionFolder(folder);
  await Bun.write(join(folder, "src/other.ts"), other("second"));
  const second = await readExtensionFolder(folder);
  const [one, anew, two] = [await first.load(ungranted), await first.load(ungranted), await second.load(ungranted)];

  expect(await answerOf(one)).toEqual(["first", 1]);
  expect(await answerOf(one)).toEqual(["first", 2]);
  expect(await answerOf(anew)).toEqual(["first", 1]);
  expect(await answerOf(two)).toEqual(["second", 1]);
});

test("load provides the host's kernel, schemas, contracts and zod for every import form", async () => {
  await using temp = await createTempFolder();
  const before = `import { KernelError } from "@incipit/kernel";
import { messageSchema } from "@incipit/schema";
import { modelProvidersPoint } from "@incipit/service-contract";
import * as z from "zod";
import zod, { string } from "zod";
const name: string = "@incipit/kernel";
const required = require("zod");
const imported = async () => [await import("@incipit/kernel"), await import(name), await import("zod")];`;
  const answer = `imported().then(([kernel, computed, lazyZod]) => [
    KernelError, kernel.KernelError, computed.KernelError, modelProvidersPoint, messageSchema,
    z.ZodType, zod.ZodType, required.ZodType, lazyZod.ZodType, string])`;
  const folder = await writeExtension(temp.path, { "src/index.ts": extensionCode(answer, before) });

  const answered = await answerOf(await (await readExtensionFolder(folder)).load(ungranted));

  const values = z.array(z.unknown()).parse(answered);
  const expected = [KernelError, KernelError, KernelError, modelProvidersPoint, messageSchema];
  const zods = [z.ZodType, z.ZodType, z.ZodType, z.ZodType, z.string];
  expect(values).toHaveLength(10);
  for (const [index, value] of [...expected, ...zods].entries()) expect(values[index]).toBe(value);
});

test("load accepts a manifest imported from package.json", async () => {
  await using temp = await createTempFolder();
  const { version, ...incipit } = manifest;
  const code = extensionCode('"here"', 'import packageJson from "../package.json";');
  const folder = await writeExtension(temp.path, {
    "package.json": JSON.stringify({ name: "weather", version, incipit }),
    "src/index.ts": code.replace(JSON.stringify(manifest), "packageJson"),
  });

  const extension = await (await readExtensionFolder(folder)).load(ungranted);

  expect(extension.manifest).toEqual(manifest);
  expect(await answerOf(extension)).toBe("here");
});

test("load provides the packages of an extension, including its own zod", async () => {
  await using temp = await createTempFolder();
  const folder = await writeExtension(temp.path, {
    "src/index.ts": extensionCode(
      "[name, dep.deep(), data.a, text]",
      `import { name } from "zod";
import dep from "dep";
import data from "./data.json";
import text from "./text.sql" with { type: "text" };`,
    ),
    "src/data.json": '{ "a": 1 }',
    "src/text.sql": "select 1",
    "node_modules/zod/package.json": '{ "name": "zod", "main": "z.js" }',
    "node_modules/zod/z.js": 'exports.name = "its own";',
    "node_modules/dep/package.json": '{ "name": "dep" }',
    "node_modules/dep/index.js": 'module.exports = require("./lib/deep.js");',
    "node_modules/dep/lib/deep.js":
      'try { require("not-installed"); } catch {}\nexports.deep = () => require("zod").name;',
  });

  const answer = await answerOf(await (await readExtensionFolder(folder)).load(ungranted));

  expect(answer).toEqual(["its own", "its own", 1, "select 1"]);
});

test("load rejects system imports of any form before code runs unless system is granted", async () => {
  await using temp = await createTempFolder();
  const forms = [
    ["node:fs", 'import { readFileSync } from "node:fs";', "readFileSync"],
    ["fs", 'import fs from "fs";', "fs.readFileSync"],
    ["fs", "", 'require("fs").readFileSync'],
    ["node:fs", "", 'import("node:fs").then((fs) => fs.readFileSync)'],
    ["node:fs", 'import { readFileSync } from "./other.ts";', "readFileSync"],
    ["bun", 'import { file } from "bun";', "file"],
  ] as const;
  const ran = Symbol.for("incipit.test.ran");

  for (const [module, before, answer] of forms) {
    const code = extensionCode(answer, `${before}\nReflect.set(globalThis, Symbol.for("incipit.test.ran"), true);`);
    const files = { "src/index.ts": code, "src/other.ts": '\nexport { readFileSync } from "node:fs";' };
    const folder = await readExtensionFolder(await writeExtension(temp.path, files));
    const [found] = folder.systemImports;

    const failure = await failureOf(folder.load(ungranted));
    expect(failure).toMatchObject({ code: "IMPORT_DENIED", extension: "acme.weather" });
    for (const part of [`${found?.file}:${found?.line} imports "${module}"`, "host", '"system"']) {
      expect(messageOf(failure)).toContain(part);
    }
    expect(Reflect.has(globalThis, ran)).toBe(false);

    expect(await answerOf(await folder.load(granted))).toBe(module === "bun" ? Bun.file : readFileSync);
    Reflect.deleteProperty(globalThis, ran);
  }
});

test("load rejects imports of outside files and links to them unless system is granted", async () => {
  await using temp = await createTempFolder();
  const secret = join(temp.path, "secret.json");
  await Bun.write(secret, '"secret"');
  for (const from of [secret, "../../secret.json", "./link.json"]) {
    const path = await writeExtension(temp.path, {
      "src/index.ts": extensionCode("text", `import text from "${from}";`),
    });
    await rm(join(path, "src/link.json"), { force: true });
    await symlink(secret, join(path, "src/link.json"));

    const folder = await readExtensionFolder(path);

    expect(await failureOf(folder.load(ungranted))).toMatchObject({
      code: "IMPORT_DENIED",
      message: expect.stringContaining(`src/index.ts:2 imports "${from}" (use host.fs`),
    });
    expect(await answerOf(await folder.load(granted))).toBe("secret");
  }
});

test("load provides import() and require() that reject computed names unless system is granted", async () => {
  await using temp = await createTempFolder();
  const before = 'const name = (rest: string) => ["node", rest].join(":");';
  const answers = ['require(name("fs")).readFileSync', 'import(name("fs")).then((fs) => fs.readFileSync)'];

  for (const answer of answers) {
    const source = await writeExtension(temp.path, { "src/index.ts": extensionCode(answer, before) });
    const folder = await readExtensionFolder(source);
    const extension = await folder.load(ungranted);

    expect(await failureOf(answerOf(extension))).toMatchObject({
      code: "IMPORT_DENIED",
      extension: "acme.weather",
    });
    expect(await answerOf(await folder.load(granted))).toBe(readFileSync);
  }
});

test("load rejects modules outside the folder that are not system modules, even with system granted", async () => {
  await using temp = await createTempFolder();
  const names = ["/etc/hostname", "./other.ts", "@incipit/testkit", "http://x.dev/y.js"];

  for (const answer of names.flatMap((name) => [`import(["${name}"].join(""))`, `require(["${name}"].join(""))`])) {
    const source = await writeExtension(temp.path, { "src/index.ts": extensionCode(answer), "src/other.ts": "" });
    const extension = await (await readExtensionFolder(source)).load(granted);
    expect(await failureOf(answerOf(extension))).toMatchObject({ code: "IMPORT_DENIED" });
  }
});

test("load rejects code that throws or lacks a matching extension, with place and reason", async () => {
  await using temp = await createTempFolder();
  const define = (change: object) =>
    `import { defineExtension } from "@incipit/kernel";
export default defineExtension(${JSON.stringify({ ...manifest, ...change })}, () => {});`;
  const refusals: (readonly [Readonly<Record<string, string>>, readonly string[]])[] = [
    [{ "src/index.ts": "const x: { y?: string } = {};\n\nx.y.trim();\nexport default x;" }, ["src/index.ts:3:"]],
    [
      {
        "src/index.ts": 'import "./other.ts"; export default 1;',
        "src/other.ts": 'type X = 1;\ninterface Y { x: X }\nthrow new Error("no luck");',
      },
      ["src/other.ts:3:", "no luck"],
    ],
    [{ "src/index.ts": 'throw "a text";' }, ["a text"]],
    [{ "src/index.ts": "export const x = 1;" }, ["no default export", "defineExtension"]],
    [{ "src/index.ts": "export default { manifest: {} };" }, ["default export is not an extension"]],
    [{ "src/index.ts": "export default () => {};" }, ["default export is not an extension"]],
    [{ "src/index.ts": define({ color: 1 }) }, ['unknown key "color"', "in its code"]],
    [
      { "src/index.ts": define({ version: "1.0.1" }) },
      ['version is "1.0.0" in package.json and "1.0.1" in the code'],
    ],
    [{ "src/index.ts": define({ provides: [] }) }, ["provides.0 is", "missing in the code"]],
    [{ "src/index.ts": define({ capabilities: { fs: true } }) }, ["capabilities is missing in package.json"]],
  ];

  for (const [index, [files, parts]] of refusals.entries()) {
    const folder = await readExtensionFolder(await writeExtension(temp.path, files, `folder ${index}`));
    const failure = await failureOf(folder.load(ungranted));
    expect(failure).toMatchObject({ code: "CODE_FAILED", extension: "acme.weather" });
    for (const part of parts) expect(messageOf(failure)).toContain(part);
  }
});

test("load stops code that does not return", async () => {
  await using temp = await createTempFolder();
  const files = { "src/index.ts": extensionCode("1", "for (;;) { try { for (;;); } catch {} }") };
  const folder = await readExtensionFolder(await writeExtension(temp.path, files));

  const failure = await failureOf(folder.load({ isSystemGranted: false, timeoutMs: 20 }));

  expect(failure).toMatchObject({ code: "CODE_FAILED", extension: "acme.weather" });
  expect(messageOf(failure)).toContain("20 ms");
});

test("originalStack maps frames to source lines, and extensionOfStack names the extension, across timers", async () => {
  await using temp = await createTempFolder();
  const folder = await writeExtension(temp.path, {
    "src/index.ts": extensionCode("later()", 'import { later } from "./other.ts";'),
    "src/other.ts": `interface Unused { readonly x: 1 }

function fail(): never {
  throw new Error("boom");
}

export function later(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(() => { try { JSON.parse('1', fail); } catch (error) { resolve(error); } }, 0));
}`,
  });
  const read = await readExtensionFolder(folder);

  const error = await answerOf(await read.load(ungranted));

  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const original = read.originalStack(stack).split("\n");
  expect(extensionOfStack(stack)).toBe("acme.weather");
  expect(original[0]).toBe("Error: boom");
  expect(original[1]).toContain(`at fail (${join(folder, "src/other.ts")}:4:`);
  expect(original.some((line) => line.includes(`${join(folder, "src/other.ts")}:8:`))).toBe(true);
  expect(read.originalStack("Error: x\n    at y (/a/b.ts:1:2)")).toBe("Error: x\n    at y (/a/b.ts:1:2)");
});

test("extensionOfStack returns undefined for host code with any message", () => {
  expect(extensionOfStack(new Error("at incipit-extension://acme.weather/01:1:1").stack ?? "")).toBeUndefined();
});

test("load leaks no memory of unused code", async () => {
  await using temp = await createTempFolder();
  const sizeBytes = 1_000_000;
  const loadOne = async (index: number): Promise<void> => {
    const code = extensionCode("text.length", 'import { text } from "./other.ts";');
    const other = `export const text = "${index}" + ${JSON.stringify("x".repeat(sizeBytes))};`;
    const source = await writeExtension(temp.path, { "src/index.ts": code, "src/other.ts": other });
    await (await readExtensionFolder(source)).load(ungranted);
  };
  const residentBytes = (): number => {
    Bun.gc(true);
    return process.memoryUsage.rss();
  };

  for (let index = 0; index < 30; index += 1) await loadOne(index);
  const beforeBytes = residentBytes();
  for (let index = 30; index < 150; index += 1) await loadOne(index);

  expect(residentBytes() - beforeBytes).toBeLessThan(60 * sizeBytes);
});
