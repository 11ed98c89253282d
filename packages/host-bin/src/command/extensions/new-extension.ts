import { kernelApiVersion, type Manifest } from "@incipit/kernel";
import { staticVariables } from "@incipit/schema";
import { readdirSync, statSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { UsageError } from "../registry/usage-error.ts";
import type { Call } from "../registry/command.ts";
import { isBuiltFile } from "../output/built-file.ts";
import { scaffoldKinds } from "../scaffold/scaffold-kinds.ts";
import type { ScaffoldKind, ScaffoldName } from "../scaffold/scaffold-kind.ts";

const kinds = ["channel", "provider", "storage", "tool", "variable"] as const;

export async function newExtension({
  words: [given],
  args,
  output: { out, outLine },
}: Pick<Call<[folder: string], (typeof kinds)[number]>, "words" | "args" | "output">): Promise<void> {
  const [chosen = "variable", another] = kinds.filter((kind) => args[kind]);
  if (another !== undefined)
    throw new UsageError(
      `"--${chosen}" and "--${another}" are two extensions: begin one of them, in a folder of its own`,
    );
  const kind: ScaffoldKind = scaffoldKinds[chosen];
  const folder = resolve(given);
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there !== undefined && (!there.isDirectory() || readdirSync(folder).length > 0))
    throw new UsageError(`"${folder}" exists, and is not an empty folder; name another one`);
  const name = nameOf(folder);
  const scaffold = { name, word: wordOf(name), folder };
  for (const [file, text] of Object.entries(filesOf(kind, scaffold))) await Bun.write(join(folder, file), text);
  if (isBuiltFile) await (await import("./author-types.ts")).writeAuthorTypes(folder);
  if (args.isJson) {
    outLine(JSON.stringify({ id: `my.${name}`, path: folder }));
    return;
  }
  const path = relative(process.cwd(), folder) || ".";
  const shown = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
  out(`Wrote the extension "my.${name}" to ${folder}: ${kind.gives(scaffold)}\n\n`);
  if (isBuiltFile) {
    outLine(`  Its types are in "${path}/types"; tests, by @incipit/testkit, come with a clone of Incipit.`);
    out("\n");
  } else outLine(`  bun test --cwd ${shown}              its test`);
  outLine(
    chosen === "storage"
      ? `  incipit extensions add ${shown}      it waits until it is chosen`
      : `  incipit extensions dev ${shown}      load it, and swap it on each save`,
  );
  for (const line of kind.next(scaffold, shown)) outLine(`  ${line}`);
}

function nameOf(folder: string): string {
  const name = basename(folder)
    .normalize("NFKD") // "über" becomes "uber", not "ber".
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[-0-9]+|-+$/g, "");
  if (name === "") throw new UsageError(`"${basename(folder)}" gives no name; name a folder with letters in it`);
  return name;
}

/** Returns a word for generated names, without "-", and distinct from the host's own. */
function wordOf(name: string): string {
  const word = name.replaceAll("-", "_");
  return staticVariables.some((variable) => variable.type === word) ? `my_${word}` : word;
}

function filesOf(kind: ScaffoldKind, scaffold: ScaffoldName): Readonly<Record<string, string>> {
  const { name, folder } = scaffold;
  const version = "0.1.0";
  const incipit: Omit<Manifest, "version"> = {
    id: `my.${name}`,
    api: `^${kernelApiVersion.split(".")[0] ?? "1"}`,
    ...kind.manifest(scaffold),
  };
  return {
    "package.json": jsonText({ name, version, private: true, type: "module", incipit }),
    "tsconfig.json": jsonText({ ...compilerSettings(folder), include: ["src"] }),
    ...kind.code(scaffold),
    ...(isBuiltFile ? {} : { "src/index.test.ts": kind.test(scaffold) }),
  };
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const rootFolder = resolve(import.meta.dir, "../../../../..");

function compilerSettings(folder: string): object {
  return isBuiltFile ? compilerAlone : compilerIn(relative(folder, rootFolder));
}

/** The types are in the extension's folder; its own copy of zod takes precedence. */
const compilerAlone = {
  compilerOptions: {
    target: "ESNext",
    module: "Preserve",
    moduleResolution: "bundler",
    lib: ["ESNext", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
    paths: { "@incipit/*": ["./types/*/index.d.ts"], zod: ["./node_modules/zod", "./types/zod/index.d.ts"] },
  },
};

/** Also checks the host's sources. */
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
