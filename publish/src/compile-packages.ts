import { join } from "node:path";
import type { PublishedPackage } from "./published-packages.ts";
import { runProgram } from "./run-program.ts";

/** By the engine that a package asks for. What is for Node has to do with what Node 20 and browsers both have. */
const settings = {
  node: {
    // The syntax of ES2024 is the `v` flag of regular expressions; of its library, Node 20 has the strings alone.
    target: "ES2024",
    lib: ["ES2023", "ES2024.String", "DOM", "DOM.Iterable", "DOM.AsyncIterable", "ESNext.Disposable"],
    types: [],
  },
  bun: { target: "ES2024", types: ["bun"] },
};

export interface CompileOptions {
  /** Root of the repository. */
  readonly root: string;
  readonly outFolder: string;
}

/**
 * JavaScript, declarations and source maps of packages, at `outFolder/packages/NAME/src`: what their entries lead to.
 * @throws with what the compiler prints, such as a call of what Node 20 does not have.
 */
export async function compilePackages(
  packages: readonly PublishedPackage[],
  { root, outFolder }: CompileOptions,
): Promise<void> {
  // TypeScript 7 leaves files out, in some runs and not in others, of what it comes to by "node_modules" before it comes there
  // by itself: https://github.com/microsoft/typescript-go/issues/3253
  const paths = Object.fromEntries(
    packages.flatMap(({ folder, entries }) =>
      Object.entries(entries).map(([name, source]) => [name, [join(root, folder, source)]]),
    ),
  );
  // One after the other: what is for Bun imports what is for Node, and writes that, too.
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
