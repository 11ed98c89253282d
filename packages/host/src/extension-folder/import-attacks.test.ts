import { KernelError, type FileSystem } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../drivers/clock.ts";
import { createFileSystem } from "../drivers/files/file-system.ts";
import { bundleCode } from "./bundle-code.ts";
import { BundleError } from "./bundle-error.ts";
import { readPackage } from "./read-package.ts";
import { readExtensionFolder } from "./read-extension-folder.ts";
import { extensionCode, writeExtension } from "./testing/write-extension.ts";

interface Tried {
  readonly head?: string;
  readonly expression?: string;
  readonly links?: Readonly<Record<string, string>>;
}

const key = Symbol.for("incipit.test.got");

async function gotten(
  parent: string,
  { head = "", expression = "undefined", links = {} }: Tried,
  isSystemGranted = false,
): Promise<unknown> {
  const before = `${head}\nObject.defineProperty(globalThis, Symbol.for("incipit.test.got"), { value: ${expression}, configurable: true });`;
  const folder = await writeExtension(parent, { "src/index.ts": extensionCode("1", before) }, crypto.randomUUID());
  for (const [name, target] of Object.entries(links)) await symlink(target, join(folder, "src", name));
  try {
    await (await readExtensionFolder(folder)).load({ isSystemGranted });
    return await Reflect.get(globalThis, key);
  } catch (error) {
    return KernelError.is(error) ? error.code : error;
  } finally {
    Reflect.deleteProperty(globalThis, key);
  }
}

test("[attack:extension-imports-outside] code outside the folder cannot be imported by path or link", async () => {
  await using parent = await createTempFolder();
  const foreign = join(parent.path, "foreign.ts");
  await Bun.write(foreign, 'export const secret = "secret";');
  const absolute = { head: `import { secret } from "${foreign}";`, expression: "secret" };
  const relative = { head: 'import { secret } from "../../foreign.ts";', expression: "secret" };
  const linked = {
    head: 'import { secret } from "./link.ts";',
    expression: "secret",
    links: { "link.ts": foreign },
  };

  for (const tried of [absolute, relative, linked]) {
    expect(await gotten(parent.path, tried)).toBe("IMPORT_DENIED");
    expect(await gotten(parent.path, tried, true)).toBe("secret");
  }
});

test("[attack:extension-alias-import] settings and package names cannot redirect an import to foreign code", async () => {
  await using parent = await createTempFolder();
  await Bun.write(join(parent.path, "victim/secret.ts"), 'export const secret = "secret";');
  await Bun.write(join(parent.path, "linked/package.json"), '{ "name": "linked", "main": "index.ts" }');
  await Bun.write(join(parent.path, "linked/index.ts"), 'export const secret = "of a package";');
  const code = (from: string): string =>
    extensionCode(
      "1",
      `import { secret } from "${from}"; Object.defineProperty(globalThis, Symbol.for("incipit.test.got"), { value: secret, configurable: true });`,
    );
  const tried = async (from: string): Promise<unknown> => {
    const folder = await writeExtension(
      parent.path,
      {
        "src/index.ts": code(from),
        "tsconfig.json": JSON.stringify({
          compilerOptions: { paths: { "alias/*": ["../victim/*"], "@own/*": ["./src/*"] } },
        }),
        "src/own.ts": 'export const secret = "its own";',
        "node_modules/inside/package.json": '{ "name": "inside" }',
      },
      crypto.randomUUID(),
    );
    await symlink(join(parent.path, "linked"), join(folder, "node_modules/linked"));
    try {
      await (await readExtensionFolder(folder)).load({ isSystemGranted: false });
      return Reflect.get(globalThis, key);
    } catch (error) {
      return KernelError.is(error) ? error.code : error;
    } finally {
      Reflect.deleteProperty(globalThis, key);
    }
  };

  for (const from of ["alias/secret.ts", "inside/../../../victim/secret.ts"])
    expect([from, await tried(from)]).toEqual([from, "IMPORT_DENIED"]);
  expect(await tried("linked")).toBe("of a package");
  expect(await tried("@own/own.ts")).toBe("its own");
});

test("[attack:extension-computed-import] a computed name cannot import a system module", async () => {
  await using parent = await createTempFolder();
  const name = '["node", "fs"].join(":")';
  const ways = [
    `import(${name})`,
    `Promise.resolve().then(() => require(${name}))`,
    `eval('import(${name})')`,
    `(0, eval)('import(${name})')`,
    `new Function('return import(${name})')()`,
    `Object.getPrototypeOf(async () => {}).constructor('return import(${name})')()`,
  ];
  for (const expression of ways) {
    const tried = { expression: `(${expression}).then((fs) => typeof fs.readFileSync)` };
    expect([expression, await gotten(parent.path, tried)]).toEqual([expression, "IMPORT_DENIED"]);
    expect([expression, await gotten(parent.path, tried, true)]).toEqual([expression, "function"]);
  }
});

test("[attack:extension-sqlite-import] a database cannot be imported", async () => {
  await using parent = await createTempFolder();
  const file = join(parent.path, "incipit.db");
  const database = new Database(file);
  database.run("create table kept (text)");
  database.run("insert into kept values ('secret')");
  database.close();
  const head = `import database from "${file}" with { type: "sqlite" };`;
  const expression = 'JSON.stringify(database.query("select * from kept").all())';

  expect(await gotten(parent.path, { head, expression })).toBe("IMPORT_DENIED");
  const embedded = head.replace("}", ', embed: "true" }');
  expect(await gotten(parent.path, { head: embedded, expression })).toBe("CODE_INVALID");
  const { Database: Own } = await import("bun:sqlite");
  expect(JSON.stringify(new Own(file).query("select * from kept").all())).toContain("secret");
});

test("[attack:extension-linked-data] a link in the folder cannot import an outside file", async () => {
  await using parent = await createTempFolder();
  const foreign = join(parent.path, "secret.txt");
  await Bun.write(foreign, "secret");
  for (const name of ["link.txt", "link.ts"]) {
    const tried = {
      head: `import text from "./${name}" with { type: "text" };`,
      expression: "text",
      links: { [name]: foreign },
    };
    expect(await gotten(parent.path, tried)).toBe("IMPORT_DENIED");
  }
  const granted = {
    head: `import text from "./link.txt" with { type: "text" };`,
    expression: "text",
    links: { "link.txt": foreign },
  };
  expect(await gotten(parent.path, granted, true)).toBe("secret");
});

test("[attack:extension-data-read-twice] data that changes between hashing and bundling is rejected", async () => {
  await using parent = await createTempFolder();
  const head = 'import text from "./data.txt" with { type: "text" }; void text;';
  const files = { "src/index.ts": extensionCode("1", head), "src/data.txt": "hashed" };
  const folder = await writeExtension(parent.path, files);
  const data = join(folder, "src/data.txt");
  const bundled = async (exchange: (times: number) => Promise<void>): Promise<unknown> => {
    let times = 0;
    const real = createFileSystem("host", true, { clock: systemClock });
    const fs: FileSystem = {
      ...real,
      async readFile(path, options) {
        if (path === data && times > 0) await exchange(times);
        const read = await real.readFile(path, options);
        if (path !== data) return read;
        times += 1;
        if (times === 1) await exchange(0);
        return read;
      },
    };
    try {
      const options = { fs, timeoutMs: 10_000 };
      return (await bundleCode(await readPackage(folder, options), options)).text.includes("bundled");
    } catch (error) {
      return error instanceof BundleError ? error.problems : error;
    }
  };
  const put = (text: string): Promise<void> => Bun.write(data, text).then(() => undefined);
  const changed = ["src/data.txt: it changed during reading; try again"];

  expect(await bundled(async () => undefined)).toBe(false);
  expect(await bundled((times) => (times === 0 ? put("bundled") : Promise.resolve()))).toEqual(changed);
  await put("hashed");
  expect(await bundled((times) => put(times === 0 ? "bundled" : "hashed"))).toEqual(changed);
});
