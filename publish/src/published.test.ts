import { createHost, parseConfig } from "@incipit/host-bin";
import { createGitRepository, createTempFolder, sampleOf } from "@incipit/testkit";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Glob } from "bun";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { createEmptyFolder, type EmptyFolder } from "./empty-folder.ts";
import { runProgram } from "./run-program.ts";

const root = join(import.meta.dir, "../..");

const compilerOptions = {
  target: "ES2023",
  lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable", "ESNext.Disposable"],
  types: [],
  strict: true,
  rewriteRelativeImportExtensions: true,
};
const strictest = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true };
const checked = { skipLibCheck: false, skipDefaultLibCheck: true };
/** Also check all declarations, including zod's. */
const resolutions = {
  nodenext: { module: "nodenext", ...checked },
  bundler: { module: "preserve", moduleResolution: "bundler", skipLibCheck: true, ...strictest },
  bun: { module: "preserve", moduleResolution: "bundler", types: ["bun"], ...strictest, ...checked },
};
const compilers = {
  "5.9": join(root, "publish/node_modules/typescript-5.9"),
  "7": join(root, "node_modules/typescript"),
} as const;

let empty: EmptyFolder;

beforeAll(async () => {
  empty = await createEmptyFolder();
  await cp(join(import.meta.dir, "../fixtures"), empty.path, { recursive: true });
  const inBun = ["embedded-host.ts"];
  for (const { name, folder, manifest } of empty.packages)
    for (const [index, code] of (await codeOf(`${folder}/README.md`)).entries()) {
      const file = `readme-${name.slice(name.indexOf("/") + 1)}-${index}.ts`;
      if ("bun" in manifest.engines && name !== "@incipit/testkit") inBun.push(file);
      await Bun.write(join(empty.path, file), code);
    }
  for (const [name, resolution] of Object.entries(resolutions)) {
    const files = name === "bun" ? { include: inBun } : { include: ["*.ts"], exclude: inBun };
    const project = { compilerOptions: { ...compilerOptions, ...resolution, noEmit: true }, ...files };
    await Bun.write(join(empty.path, `tsconfig.${name}.json`), JSON.stringify(project));
  }
  const emitting = ["-p", "tsconfig.nodenext.json", "--noEmit", "false", "--noCheck", "--outDir", "js"];
  await runProgram(["node", join(compilers[7], "bin/tsc"), ...emitting], { cwd: empty.path });
}, 1_800_000);

afterAll(() => empty[Symbol.asyncDispose](), 300_000);

async function codeOf(path: string): Promise<readonly string[]> {
  const page = await Bun.file(join(root, path)).text();
  return [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
}

const manifestSchema = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

test("a tarball has dist, README, licence and a manifest without workspace references", async () => {
  expect(empty.packages.length).toBeGreaterThan(4);
  for (const { name } of empty.packages) {
    const folder = join(empty.path, "node_modules", name);
    const files = [...new Glob("**/*").scanSync({ cwd: folder })];

    expect(files).toEqual(expect.arrayContaining(["dist/index.js", "dist/index.js.map", "dist/index.d.ts"]));
    const places = new Set(files.map((file) => file.split("/")[0]));
    expect(places).toEqual(new Set(["LICENSE", "README.md", "dist", "package.json"]));
    expect(files.filter((file) => file.includes(".test.") || file.includes("testing/"))).toEqual([]);
    const text = await Bun.file(join(folder, "package.json")).text();
    expect(text).not.toMatch(/workspace:|catalog:|"private"|devDependencies|scripts|src\//);
  }
});

test("a tarball depends exactly on what its code and declarations import", async () => {
  for (const { name } of empty.packages) {
    const folder = join(empty.path, "node_modules", name);
    const imported = new Set<string>();
    for (const file of new Glob("dist/**/*.{js,d.ts}").scanSync({ cwd: folder })) {
      const text = await Bun.file(join(folder, file)).text();
      for (const [, specifier = ""] of text.matchAll(
        /(?:from |import\(|import )"(@\w[\w-]*\/[\w-]+|\w[\w-]*)(?:\/[\w/-]+)?"/g,
      ))
        imported.add(specifier);
      // Specifiers name existing files, not sources.
      expect({ file, sources: text.match(/(?:from |import\()"\.[^"]*\.ts"/g) }).toEqual({ file, sources: null });
    }

    const { dependencies } = manifestSchema.parse(await Bun.file(join(folder, "package.json")).json());
    expect({ name, imported: [...imported].toSorted() }).toEqual({
      name,
      imported: Object.keys(dependencies).toSorted(),
    });
  }
});

test("source maps contain the source and no build paths", async () => {
  const mapSchema = z.object({ sources: z.array(z.string()), sourcesContent: z.array(z.string()) });
  for await (const path of new Glob("node_modules/@incipit/*/dist/**/*.map").scan({ cwd: empty.path })) {
    const { sources, sourcesContent } = mapSchema.parse(await Bun.file(join(empty.path, path)).json());
    expect({ path, named: sources.filter((source) => source.includes("/")) }).toEqual({ path, named: [] });
    expect(sourcesContent).toHaveLength(1);
  }
});

const cells = Object.keys(compilers).flatMap((version) =>
  Object.keys(resolutions).map((resolution) => `${version} ${resolution}`),
);
const taken = sampleOf(cells);

for (const [version, compiler] of Object.entries(compilers))
  for (const resolution of Object.keys(resolutions))
    if (taken.has(`${version} ${resolution}`))
      test(`TypeScript ${version} accepts an extension, test, client, embedded host and README code (${resolution})`, async () => {
        const tsc = join(compiler, "bin/tsc");
        const { version: installed } = await Bun.file(join(compiler, "package.json")).json();
        // Only the newest version can read the declarations of Bun and Node.
        const flags = resolution === "bun" && version !== "7" ? ["--skipLibCheck"] : [];

        expect(installed).toStartWith(`${version}.`);
        expect(
          await runProgram(["node", tsc, "-p", `tsconfig.${resolution}.json`, ...flags], { cwd: empty.path }),
        ).toBe("");
      }, 1_800_000);

/** Installed by `bun run frontend-tools`. */
function deno(): string {
  const cwd = join(root, "test/frontend-tools/node_modules/@deno");
  const [path] = new Glob("*/deno").scanSync({ cwd, absolute: true });
  if (path === undefined)
    throw new Error('Deno is not installed; "bun run check" does it, or "bun run frontend-tools"');
  return path;
}

const engines = {
  bun: (code: string) => [process.execPath, "-e", code],
  node: (code: string) => ["node", "--input-type=module", "-e", code],
  deno: (code: string) => [deno(), "eval", code],
} as const;

async function callIn(engine: keyof typeof engines, file: string, call: string): Promise<unknown> {
  const path = engine === "bun" ? `./${file}.ts` : `./js/${file}.js`;
  const code = `import * as file from "${path}"; console.log(JSON.stringify(await file.${call}));`;
  // Offline: all modules have to be installed.
  const env = { ...process.env, DENO_NO_UPDATE_CHECK: "1", DENO_DIR: join(empty.path, "deno") };
  return JSON.parse(await runProgram(engines[engine](code), { cwd: empty.path, env }));
}

for (const engine of ["node", "bun", "deno"] as const)
  test(`a frontend with @incipit/client survives cut streams in ${engine}`, async () => {
    await using data = await createTempFolder();
    await using host = await createHost({
      config: parseConfig("listen.port = 0", "published.test.ts"),
      dataFolder: data.path,
      cwd: data.path,
      env: {},
      writeLog: () => {},
    });
    await using proxy = startCuttingProxy(host.url ?? "");

    const asked = await callIn(
      engine,
      "frontend",
      `ask(${JSON.stringify({ url: proxy.url, token: host.token })}, "Hello")`,
    );

    expect(asked).toMatchObject({
      reply: expect.stringContaining("You said: Hello"),
      status: "completed",
      roles: ["user", "assistant"],
      refusal: "CONVERSATION_UNKNOWN",
    });
    const { seqs, cuts } = z.object({ seqs: z.array(z.int()), cuts: z.int() }).parse(asked);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(cuts).toBeGreaterThan(2);
  });

for (const engine of ["bun", "node"] as const) {
  test(`the kernel runs extensions in ${engine}`, async () => {
    const answer = await callIn(engine, "embedded-kernel", "runExtensions()");

    expect(answer).toEqual({ town: [{ value: "Porto" }], refusal: "DUPLICATE_EXTENSION" });
  });

  test(`the client talks with a host in ${engine}`, async () => {
    await using data = await createTempFolder();
    await using host = await createHost({
      config: parseConfig("listen.port = 0", "published.test.ts"),
      dataFolder: data.path,
      cwd: data.path,
      env: {},
      writeLog: () => {},
    });

    const asked = await callIn(
      engine,
      "client",
      `ask(${JSON.stringify({ url: host.url, token: host.token })}, "Hello")`,
    );

    expect(asked).toMatchObject({
      reply: expect.stringContaining("Hello"),
      status: "completed",
      messages: [{ role: "user" }, { role: "assistant" }],
      refusal: "CONVERSATION_UNKNOWN",
    });
  });
}

test("an embedded host stores conversations and starts programs as granted", async () => {
  await using temp = await createTempFolder();
  const { path: cwd } = await createGitRepository(join(temp.path, "repository"));
  const folders = { data: join(temp.path, "data"), cwd };

  const told = await callIn("bun", "embedded-host", `ask(${JSON.stringify(folders)}, "Hello")`);

  expect(told).toEqual({
    reply: expect.stringContaining("You are on main."),
    body: expect.stringMatching(/You are on main\..*Hello/),
  });
});

test("an extension's test needs only testkit", async () => {
  const suite = Bun.spawn([process.execPath, "test", "--timeout", "120000", "./weather-suite.ts"], {
    cwd: empty.path,
    stderr: "pipe",
  });
  const shown = await new Response(suite.stderr).text();

  expect(await suite.exited).toBe(0);
  expect(shown).toMatch(/ [1-9]\d* pass\n 0 fail/);
});
