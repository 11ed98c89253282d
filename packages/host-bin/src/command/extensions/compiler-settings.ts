import { relative, resolve } from "node:path";
import { isBuiltFile } from "../output/built-file.ts";

const rootFolder = resolve(import.meta.dir, "../../../../..");

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
