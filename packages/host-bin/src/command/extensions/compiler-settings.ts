import { relative, resolve } from "node:path";
import { isBuiltFile } from "../output/built-file.ts";

/** Where the host's own packages are: an author's editor and tests find them there. */
const rootFolder = resolve(import.meta.dir, "../../../../..");

/** What `tsconfig.json` of an extension in this folder says of the host's packages. */
export function compilerSettings(folder: string): object {
  return isBuiltFile ? compilerAlone : compilerIn(relative(folder, rootFolder));
}

/** The types are beside the code; an own copy of zod counts before those. */
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
