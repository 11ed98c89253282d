import { join } from "node:path";
import type { PublishedPackage } from "./published-packages.ts";
import { runProgram } from "./run-program.ts";

/** Packages for Node use only what Node 20 and browsers share. */
const settings = {
  node: {
    // ES2024 syntax is the `v` flag of regular expressions; of its library, Node 20 only has the string methods.
    target: "ES2024",
    lib: ["ES2023", "ES2024.String", "DOM", "DOM.Iterable", "DOM.AsyncIterable", "ESNext.Disposable"],
    types: [],
  },
  bun: { target: "ES2024", types: ["bun"] },
};

export interface CompileOptions {
  readonly root: string;
  readonly outFolder: string;
}

/** To `outFolder/packages/NAME/src`. @throws with the compiler's output, such as a use of an API that Node 20 lacks. */
export async function compilePackages(
  packages: readonly PublishedPackage[],
  { root, outFolder }: CompileOptions,
): Promise<void> {
  // https://github.com/microsoft/typescript-go/issues/3253: TypeScript 7 sometimes omits files that it first reaches
  // through "node_modules".
  const paths = Object.fromEntries(
    packages.flatMap(({ folder, entries }) =>
      Object.entries(entries).map(([name, source]) => [name, [join(root, folder, source)]]),
    ),
  );
  // Packages for Bun import those for Node, and write them, too.
  for (const engine of ["bun", "node"] as const) {
    const files = packages.filter(({ manifest }) => engine in manifest.engines);
    const compilerOptions = {
      ...settings[engine],
      noEmit: false,
      declaration: true,
      sourceMap: true,
      inlineSources: true,
      rewriteRelativeImportExtensions: true,
      rootDir: root,
      outDir: outFolder,
      paths,
      typeRoots: [join(root, "node_modules/@types")],
    };
    const project = {
      extends: join(root, "tsconfig.base.json"),
      compilerOptions,
      files: files.flatMap(({ folder, entries }) =>
        Object.values(entries).map((entry) => join(root, folder, entry)),
      ),
    };
    const path = join(outFolder, `tsconfig.${engine}.json`);
    await Bun.write(path, JSON.stringify(project));
    await runProgram([join(root, "node_modules/.bin/tsc"), "-p", path], { cwd: root });
  }
}
