import { kernelApiVersion } from "@incipit/kernel";
import { staticVariables } from "@incipit/schema";
import { readdirSync, statSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import { isBuiltFile } from "../output/built-file.ts";
import type { Output } from "../output/output.ts";

/** Where the host's own packages are: an author's editor and tests find them there. */
const rootFolder = resolve(import.meta.dir, "../../../../..");

/** `extensions new DIR`: a working extension with its test. */
export async function newExtension(args: Arguments, { out, outLine }: Output): Promise<number> {
  const [, given, stray] = args.words;
  if (given === undefined) throw new UsageError("Where? Write: incipit extensions new DIR");
  if (stray !== undefined) throw new UsageError(`"extensions new" takes no "${stray}"`);
  const folder = resolve(given);
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there !== undefined && (!there.isDirectory() || readdirSync(folder).length > 0))
    throw new UsageError(`"${folder}" exists, and is not an empty folder; name another one`);
  const name = nameOf(folder);
  for (const [file, text] of Object.entries(filesOf(name, folder))) await Bun.write(join(folder, file), text);
  if (args.isJson) {
    outLine(JSON.stringify({ id: `my.${name}`, path: folder }));
    return 0;
  }
  const path = relative(process.cwd(), folder) || ".";
  const shown = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
  out(`Wrote the extension "my.${name}" to ${folder}: the variable [${typeOf(name)}:greeting]\n\n`);
  if (isBuiltFile) outLine(noCheckout);
  else outLine(`  bun test --cwd ${shown}              its test`);
  outLine(`  incipit extensions dev ${shown}      load it, and swap it on each save`);
  outLine(`  incipit prompt set "[${typeOf(name)}:greeting]"`);
  return 0;
}

const noCheckout = `  The extension runs as it is. Its test, and the types in your editor, come with a clone of Incipit:
  "./incipit extensions new DIR" there writes an extension that finds them.
`;

/** @throws {UsageError} when nothing in the folder's name can be one. */
function nameOf(folder: string): string {
  const name = basename(folder)
    .normalize("NFKD") // "über" is "uber", not "ber".
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[-0-9]+|-+$/g, "");
  if (name === "") throw new UsageError(`"${basename(folder)}" gives no name; name a folder with letters in it`);
  return name;
}

/** A variable's type has no "-", and is none of the host's own. */
function typeOf(name: string): string {
  const type = name.replaceAll("-", "_");
  return staticVariables.some((variable) => variable.type === type) ? `my_${type}` : type;
}

/** How code of folders is read, where there is no checkout. */
const compilerAlone = {
  compilerOptions: {
    target: "ESNext",
    module: "Preserve",
    moduleResolution: "bundler",
    strict: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
};

/** Those of the host, whose sources are checked with them too, and where its packages are. */
function compilerIn(root: string): object {
  return {
    extends: `${root}/tsconfig.base.json`,
    compilerOptions: {
      typeRoots: [`${root}/node_modules/@types`],
      types: ["bun"],
      paths: {
        "@incipit/*": [`${root}/packages/*/src/index.ts`],
        zod: [`${root}/packages/kernel/node_modules/zod`],
      },
    },
  };
}

function filesOf(name: string, folder: string): Readonly<Record<string, string>> {
  const type = typeOf(name);
  const manifest = {
    id: `my.${name}`,
    version: "0.1.0",
    api: `^${kernelApiVersion.split(".")[0] ?? "1"}`,
    capabilities: { env: ["USER"] },
    contributes: ["prompt-variables@1"],
  };
  return {
    "package.json": `${JSON.stringify({ name, version: manifest.version, private: true, type: "module", incipit: manifest }, null, 2)}\n`,
    "tsconfig.json": `${JSON.stringify({ ...(isBuiltFile ? compilerAlone : compilerIn(relative(folder, rootFolder))), include: ["src"] }, null, 2)}\n`,
    "src/index.ts": `import { defineExtension } from "@incipit/kernel";
import { promptVariablesPoint } from "@incipit/service-contract";
import manifest from "./manifest.ts";

/** Adds [${type}:greeting] to templates. */
export default defineExtension(manifest, (host) => {
  host.contribute(promptVariablesPoint, {
    type: "${type}",
    variables: [{ name: "greeting", description: "Greets whoever runs the host" }],
    async resolve(name) {
      if (name !== "greeting") return { absent: "not-found" };
      return { value: \`Hello, \${host.env.get("USER") ?? "you"}!\` };
    },
  });
});
`,
    "src/manifest.ts": `import type { Manifest } from "@incipit/kernel";

/** The same as the key "incipit" of package.json, which is read before any of this runs. */
const manifest: Manifest = ${typescriptOf(manifest)};

export default manifest;
`,
    "src/index.test.ts": `import { promptVariablesPoint } from "@incipit/service-contract";
import { promptVariablesConformance, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./index.ts";
import { incipit } from "../package.json";

test("the manifest is that of package.json", () => {
  expect<unknown>(extension.manifest).toEqual(incipit);
});

test("[${type}:greeting] greets whoever runs the host", async () => {
  await using host = await startExtension(extension, { env: { USER: "Ada" } });
  const variables = host.contribution(promptVariablesPoint);

  const context = { cwd: "/", model: undefined, conversationId: undefined, signal: AbortSignal.timeout(1_000) };
  expect(await variables.resolve("greeting", context)).toEqual({ value: "Hello, Ada!" });
});

promptVariablesConformance("${type}", {
  open: async (scope) => {
    const host = scope.use(await startExtension(extension, { env: { USER: "Ada" } }));
    return host.contribution(promptVariablesPoint);
  },
});
`,
  };
}

/** JSON with the keys as an author writes them. */
function typescriptOf(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/"([a-zA-Z]+)":/g, "$1:");
}
