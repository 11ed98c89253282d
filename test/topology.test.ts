import { expect, test } from "bun:test";
import { Glob } from "bun";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dir, "..");

/** Which packages a package may import; what is not here is refused. A new arrow is a decision record first. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  "packages/kernel": [],
  "packages/transport-contract": [],
  "packages/service-contract": ["kernel", "transport-contract"],
  "packages/testkit": ["kernel", "service-contract"],
  "packages/system-prompt": ["kernel", "service-contract"],
  "packages/session-orchestrator": ["kernel", "service-contract"],
  "packages/transport-http": ["kernel", "service-contract", "transport-contract"],
  "packages/host-bin": [
    "kernel",
    "provider-offline",
    "provider-openai",
    "service-contract",
    "session-orchestrator",
    "storage-sqlite",
    "system-prompt",
    "transport-contract",
    "transport-http",
  ],
  "extensions/storage-sqlite": ["kernel", "service-contract"],
  "extensions/provider-offline": ["kernel", "service-contract"],
  "extensions/provider-openai": ["kernel", "service-contract"],
};

/** Packages that may be imported from outside the contracts and the standard library. */
const thirdParty: Readonly<Record<string, readonly string[]>> = {
  "packages/kernel": ["zod"],
  "packages/transport-contract": ["eventsource-parser", "zod"],
  "packages/service-contract": ["zod"],
  "packages/testkit": ["fast-check", "zod"],
  "packages/system-prompt": ["zod"],
  "packages/session-orchestrator": ["zod"],
  "packages/transport-http": ["hono", "zod"],
  "packages/host-bin": ["fastest-levenshtein", "smol-toml", "zod"],
  "extensions/storage-sqlite": ["zod"],
  "extensions/provider-offline": ["zod"],
  "extensions/provider-openai": [
    "@ai-sdk/deepseek",
    "@ai-sdk/openai",
    "@ai-sdk/openai-compatible",
    "@ai-sdk/provider",
    "zod",
  ],
};

/** System modules with I/O that a contract or the kernel must not reach for. */
const withoutIo = new Set(["packages/kernel", "packages/transport-contract", "packages/service-contract"]);

interface Import {
  readonly file: string;
  readonly specifier: string;
}

function isTest(path: string): boolean {
  return path.endsWith(".test.ts") || path.includes("/testing/") || path.includes("fixtures/");
}

async function importsOf(folder: string): Promise<readonly Import[]> {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const found: Import[] = [];
  for await (const file of new Glob("src/**/*.ts").scan({ cwd: join(root, folder) })) {
    const source = (await Bun.file(join(root, folder, file)).text()).replace(/^#!.*/, "");
    const specifiers = new Set(transpiler.scanImports(source).map((entry) => entry.path));
    // The transpiler drops type-only imports; they are arrows all the same.
    for (const [, specifier] of source.matchAll(/\bfrom "([@.\w:/-]+)";/g))
      if (specifier !== undefined) specifiers.add(specifier);
    for (const specifier of specifiers) found.push({ file: `${folder}/${file}`, specifier });
  }
  return found;
}

async function folders(): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const path of new Glob("{packages,extensions}/*/package.json").scan({ cwd: root }))
    found.push(dirname(path));
  return found.toSorted();
}

test("topology: the packages are those that the architecture names", async () => {
  expect(await folders()).toEqual(Object.keys(arrows).toSorted());
});

test("topology: no package imports what the architecture does not draw", async () => {
  const broken: string[] = [];
  for (const [folder, allowed] of Object.entries(arrows)) {
    const own = `@incipit/${folder.slice(folder.indexOf("/") + 1)}`;
    for (const { file, specifier } of await importsOf(folder)) {
      if (!specifier.startsWith("@incipit/") || specifier === own) continue;
      const name = specifier.slice("@incipit/".length);
      if (isTest(file) && name === "testkit") continue;
      if (!allowed.includes(name)) broken.push(`${file} imports ${specifier}`);
    }
  }
  expect(broken).toEqual([]);
});

test("topology: npm packages enter where they are allowed to, and the kernel takes zod alone", async () => {
  const broken: string[] = [];
  for (const [folder, allowed] of Object.entries(thirdParty)) {
    for (const { file, specifier } of await importsOf(folder)) {
      if (/^(\.|@incipit\/|node:|bun(:|$))/.test(specifier)) continue;
      const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
      if (isTest(file) && name === "fast-check") continue;
      if (!allowed.includes(name)) broken.push(`${file} imports ${specifier}`);
    }
  }
  expect(broken).toEqual([]);
});

test("topology: the kernel and the contracts do no I/O", async () => {
  const broken: string[] = [];
  for (const folder of withoutIo) {
    for (const { file, specifier } of await importsOf(folder)) {
      if (!isTest(file) && /^(node:|bun(:|$))/.test(specifier)) broken.push(`${file} imports ${specifier}`);
    }
  }
  expect(broken).toEqual([]);
});

test("topology: no import reaches into another package's files", async () => {
  const broken: string[] = [];
  for (const folder of await folders()) {
    for (const { file, specifier } of await importsOf(folder)) {
      const isDeep = /^@incipit\/[^/]+\//.test(specifier);
      const isOutside =
        specifier.startsWith(".") && relative(folder, join(dirname(file), specifier)).startsWith("..");
      if (isDeep || isOutside) broken.push(`${file} imports ${specifier}`);
    }
  }
  expect(broken).toEqual([]);
});
