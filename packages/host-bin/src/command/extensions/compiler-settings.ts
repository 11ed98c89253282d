import { relative, resolve } from "node:path";
import { isBuiltFile } from "../output/built-file.ts";

/** Root of the host's packages, for an author's editor and tests. */
const rootFolder = resolve(import.meta.dir, "../../../../..");

/** Returns `tsconfig.json` for an extension in this folder. */
export function compilerSettings(folder: string): object {
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

/** Extends the host's configuration, which also checks the host's sources, and maps its packages. */
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
