import { FakeClock } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { readExtensionFolder } from "./read-extension-folder.ts";
import { extensionCode, failureOf, manifest, messageOf, writeExtension } from "./testing/write-extension.ts";

const ran = Symbol.for("incipit.test.ran");
const run = 'Reflect.set(globalThis, Symbol.for("incipit.test.ran"), true);';

test("readExtensionFolder returns manifest and real path without running code", async () => {
  await using temp = await createTempFolder();
  const files = { "src/index.ts": extensionCode("1", `import "./other.ts";\n${run}`), "src/other.ts": run };
  const folder = await writeExtension(temp.path, files);
  await symlink(folder, join(temp.path, "link"));

  const read = await readExtensionFolder(join(temp.path, "link"));

  expect(read).toMatchObject({ path: folder, manifest, systemImports: [] });
  expect(Reflect.has(globalThis, ran)).toBe(false);
});

test("readExtensionFolder falls back to the version of package.json", async () => {
  await using temp = await createTempFolder();
  const { version: _, ...rest } = manifest;
  const versions = [
    [{ version: "3.1.0", incipit: rest }, "3.1.0"],
    [{ version: "3.1.0", incipit: manifest }, "1.0.0"],
  ] as const;

  for (const [content, version] of versions) {
    const files = { "package.json": JSON.stringify(content), "src/index.ts": extensionCode() };
    const read = await readExtensionFolder(await writeExtension(temp.path, files));
    expect(read.manifest.version).toBe(version);
  }
});

test("readExtensionFolder accepts each form of exports in package.json", async () => {
  await using temp = await createTempFolder();
  const forms = [
    "./lib/main.ts",
    { ".": "./lib/main.ts" },
    { import: "./lib/main.ts" },
    { ".": { browser: "./no.ts", bun: "./lib/main.ts", default: "./no.ts" }, "./other": "./no.ts" },
    { ".": { node: "./no.ts", default: { import: "./lib/main.ts" } } },
  ];

  for (const exports of forms) {
    const files = {
      "package.json": JSON.stringify({ exports, incipit: manifest }),
      "lib/main.ts": extensionCode(),
    };
    const read = await readExtensionFolder(await writeExtension(temp.path, files));
    expect(await read.load({ isSystemGranted: false })).toMatchObject({ manifest });
  }
});

test("readExtensionFolder rejects a folder without an extension and names the missing part", async () => {
  await using temp = await createTempFolder();
  await Bun.write(join(temp.path, "file"), "");
  await mkdir(join(temp.path, "empty"));
  await mkdir(join(temp.path, "package.json"));
  const packages = [
    ['{\n  "name": "x"\n  "version": "1.0.0"\n}', "package.json:3:3: Expected"],
    ['{\n  "name": "http://x",\n}', "package.json:2:21: "],
    ['{\n  "name": "x" // comment\n}', "package.json:2:15: "],
    ['{ "name": tru }', "package.json:1:11: "],
    ["", "package.json:1:1: "],
    ["[]", "not a JSON object"],
    ["{}", 'no key "incipit"'],
    [JSON.stringify({ incipit: manifest, exports: "./../other.ts" }), 'exports["."]'],
    [JSON.stringify({ incipit: manifest, exports: { ".": { node: "./x.ts" } } }), 'exports["."]'],
  ] as const;
  const refusals: (readonly [string, string])[] = [
    [join(temp.path, "gone"), "it does not exist"],
    [join(temp.path, "file"), "it is not a folder"],
    [join(temp.path, "empty"), "it has no package.json"],
    [temp.path, "its package.json is not-a-file"],
  ];
  for (const [index, [text, message]] of packages.entries()) {
    refusals.push([await writeExtension(temp.path, { "package.json": text }, `package ${index}`), message]);
  }

  for (const [path, message] of refusals) {
    const failure = await failureOf(readExtensionFolder(path));
    expect(failure).toMatchObject({ code: "FOLDER_INVALID" });
    for (const part of [message, `"${path}"`]) expect(messageOf(failure)).toContain(part);
  }
});

test("readExtensionFolder rejects an invalid manifest and names its package.json", async () => {
  await using temp = await createTempFolder();
  const refusals = [
    [{ ...manifest, color: "red" }, "MANIFEST_INVALID", 'unknown key "color"'],
    [{ ...manifest, api: "^9" }, "API_MISMATCH", "^9"],
    [["acme.weather"], "MANIFEST_INVALID", "must be an object"],
  ] as const;

  for (const [incipit, code, message] of refusals) {
    const folder = await writeExtension(temp.path, {
      "package.json": JSON.stringify({ version: "1.0.0", incipit }),
    });
    const failure = await failureOf(readExtensionFolder(folder));
    expect(failure).toMatchObject({ code });
    for (const part of [message, join(folder, "package.json")]) expect(messageOf(failure)).toContain(part);
  }
});

test("readExtensionFolder rejects code that cannot be bundled, with file, line and column", async () => {
  await using temp = await createTempFolder();
  const other = (text: string) => ({
    "src/index.ts": extensionCode("1", 'import "./other.ts";'),
    "src/other.ts": text,
  });
  const refusals: (readonly [Readonly<Record<string, string>>, readonly string[]])[] = [
    [{}, ["src/index.ts", 'exports["."]']],
    [other("export const x = ;\n"), ["src/other.ts:1:18: "]],
    [
      other("import x from 'nope';\nimport './gone.ts';\nx();"),
      ['src/other.ts:1:15: Could not resolve: "nope"', "src/other.ts:2:8: "],
    ],
    [other("import { x } from './index.ts';\nx();"), ['src/other.ts:1:10: No matching export in "src/index.ts"']],
    [other("const x = await fetch('x');\n"), ["src/other.ts:1:", "move top-level await into activate"]],
    [other("\nfor await (const x of []) {}\n"), ["src/other.ts:2:", "move top-level await into activate"]],
    [other("\nglobalThis.x = import.meta.require;\n"), ["src/other.ts:2:", "import.meta"]],
    [{ ...other('import "./a.json"'), "src/a.json": "{ x" }, ["src/a.json:1:3"]],
    [{ ...other('import x from "./a.node"; x();'), "src/a.node": "x" }, ["src/a.node: ", ".node"]],
    [{ ...other('import x from "./a.png"; x();'), "src/a.png": "x" }, ["a.png: ", 'type: "text"']],
    [{ ...other(""), "tsconfig.json": "{ x" }, ["tsconfig.json:1:3: "]],
  ];

  for (const [index, [files, parts]] of refusals.entries()) {
    const folder = await writeExtension(temp.path, files, `folder ${index}`);
    const failure = await failureOf(readExtensionFolder(folder));
    expect(failure).toMatchObject({ code: "CODE_INVALID", extension: "acme.weather" });
    for (const part of [...parts, folder]) expect(messageOf(failure)).toContain(part);
  }
});

test("readExtensionFolder rejects macros and other code that would run while bundling", async () => {
  await using temp = await createTempFolder();
  const trace = join(temp.path, "ran"); // A file, because macros run with a global object of their own.
  const macro = join(temp.path, "weather", "src", "macro.ts");
  const data = `import { m } from "${macro}" with { type: "macro" }; export const x = m();`;
  const imports = [
    `import { m } from "./macro.ts" with { type: "macro" };`,
    `import { m } from "./macro.ts" with /* so */ { "type" : 'm\\u0061cro' };`,
    `import { m } from "./macro.ts" with { t\\u0079pe: "mac\\\nro", };`,
    `import { m } from "macro:./macro.ts";`,
    `import { x as m } from "data:text/javascript,${encodeURIComponent(data)}";`,
    `import m from "./text.txt" with { type: "ts" };`,
    `import m from "./markup.txt" with { type: "tsx" };`,
    `import m from "dep";`,
  ];

  for (const line of imports) {
    const folder = await writeExtension(temp.path, {
      "src/index.ts": extensionCode("1", `${line}\nm();`),
      "src/macro.ts": `import { writeFileSync } from "node:fs";
export function m() { writeFileSync(${JSON.stringify(trace)}, ""); return 1; }`,
      "src/text.txt": `import { m } from "./macro.ts" with { type: "macro" }; export default <unknown>m();`,
      "src/markup.txt": `import { m } from "./macro.ts" with { type: "macro" }; export default [m(), <a></a>];`,
      "node_modules/dep/index.ts": `import { m } from "../../src/macro.ts" with { type: "macro" }; export default m;`,
    });
    expect(await failureOf(readExtensionFolder(folder))).toMatchObject({ code: "CODE_INVALID" });
    expect(await Bun.file(trace).exists()).toBe(false);
  }
});

test("readExtensionFolder accepts the word macro in comments, types, strings and objects", async () => {
  await using temp = await createTempFolder();
  const before = `// with { type: "macro" }
type Kind = { type: "macro" };
const kind: Kind = { type: "macro" };
const text = \`import x from "y" with { type: "macro" }\`;
export const kinds = [kind, text, { "macro": 1 }, 'with { type: "macro" }'];`;
  const folder = await writeExtension(temp.path, { "src/index.ts": extensionCode("1", before) });

  expect(await readExtensionFolder(folder)).toMatchObject({ manifest });
});

test("readExtensionFolder lists system imports of each file with their lines", async () => {
  await using temp = await createTempFolder();
  const folder = await writeExtension(temp.path, {
    "src/index.ts": extensionCode(
      "[readFileSync, z, lazy]",
      `import { readFileSync } from "node:fs";
import type { Stats } from "node:os";
import * as z from "zod";
import "./other.ts";
export const name = "node:tls";
export const lazy = () => [import("./lazy.ts"), import("@incipit/service-contract")];
`,
    ),
    "src/other.ts":
      '// import "bun:sqlite";\nexport const text = \'import "bun:sqlite"\';\nimport "bun:sqlite";\nimport {\n  spawn\n} from "bun"; spawn;',
    "src/lazy.ts": "export const p = () => import('path');\nrequire(\"http://x.dev/y.js\");",
    "node_modules/dep/package.json": '{ "name": "dep" }',
    "node_modules/dep/index.js": 'exports.x = require("os");',
    "src/unused.ts": 'import "node:vm";',
  });
  await Bun.write(join(folder, "src/lazy.ts"), 'import "dep";\nexport const p = () => import("path");');

  const { systemImports } = await readExtensionFolder(folder);

  expect(systemImports.toSorted((a, b) => a.module.localeCompare(b.module))).toEqual([
    { module: "bun", file: "src/other.ts", line: 6 },
    { module: "bun:sqlite", file: "src/other.ts", line: 3 },
    { module: "node:fs", file: "src/index.ts", line: 2 },
    { module: "os", file: "node_modules/dep/index.js", line: 1 },
    { module: "path", file: "src/lazy.ts", line: 2 },
  ]);
});

test("readExtensionFolder rejects at its deadline and writes no file", async () => {
  await using temp = await createTempFolder();
  const folder = await writeExtension(temp.path, { "src/index.ts": extensionCode() });
  const clock = new FakeClock();

  const failure = failureOf(readExtensionFolder(folder, { clock, timeoutMs: 1_000 }));
  await clock.advance(1_000);

  expect(await failure).toMatchObject({ code: "FOLDER_INVALID", message: expect.stringContaining("1000 ms") });
  await readExtensionFolder(folder);
  expect((await readdir(folder, { recursive: true })).toSorted()).toEqual(["package.json", "src", "src/index.ts"]);
});

test("[attack:extension-settings-pipe] readExtensionFolder opens no pipe named by a tsconfig.json", async () => {
  await using temp = await createTempFolder();
  const imports = 'import "../../beside/code.ts"; import "./link/code.ts";';
  const plain = { "src/index.ts": extensionCode("1", imports), "pipes/code.ts": "" };
  const pipe = join(temp.path, "pipe");
  await Bun.spawn(["mkfifo", pipe]).exited;
  const variants: readonly (readonly [file: string, text: string | Uint8Array])[] = [
    ["tsconfig.json", `{"extends":"../pipe"}`],
    ["src/jsconfig.json", `{"extends":"${pipe}"}`],
    ["tsconfig.json", `{"extends":"./pipes/more.json"}`],
    ["tsconfig.json", `{"ext\\u0065nds":"../pipe"}`],
    ["tsconfig.json", `{"extends":"../pipe","extends":"./none.json"}`],
    ["tsconfig.json", `{"extends"/**/:"../pipe"}`],
    ["tsconfig.json", Buffer.from(`\ufeff{"extends":"../pipe"}`, "utf16le")],
    ["node_modules/tsconfig.json", `{"extends":"${pipe}"}`],
    ["../tsconfig.json", `{"extends":"./pipe"}`],
    ["../beside/tsconfig.json", `{"extends":"../pipe"}`],
    ["../linked/tsconfig.json", `{"extends":"${pipe}"}`],
  ];
  for (const name of ["beside", "linked"]) await Bun.write(join(temp.path, name, "code.ts"), "");
  await mkdir(join(temp.path, "weather/src"), { recursive: true });
  await symlink("../../linked", join(temp.path, "weather/src/link"));

  for (const [file, text] of variants) {
    const folder = await writeExtension(temp.path, { ...plain, "pipes/more.json": `{"extends":"../../pipe"}` });
    await Bun.write(join(folder, file), text);
    const failure = await failureOf(readExtensionFolder(folder, { timeoutMs: 5_000 }));
    expect([file, text, failure]).toMatchObject([file, text, { code: "CODE_INVALID" }]);
    await rm(join(folder, file));
  }

  const folder = await writeExtension(temp.path, { ...plain, "base.json": "{}" });
  await Bun.write(join(folder, "tsconfig.json"), `{"extends":"./base.json"}`);
  expect(await readExtensionFolder(folder)).toMatchObject({ manifest });
  await Bun.write(join(folder, "tsconfig.json"), `{"extends":"${pipe}"}`);
  const code = `await Bun.build({ entrypoints: [${JSON.stringify(join(folder, "src/index.ts"))}], throw: false })`;
  expect(await Bun.spawn(["timeout", "-s", "KILL", "2", process.execPath, "-e", code]).exited).not.toBe(0);
});
