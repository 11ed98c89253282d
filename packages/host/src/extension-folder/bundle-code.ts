import { isInside } from "@incipit/common/system";
import { realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { errorMessage } from "../failures/error-code.ts";
import { BundleError } from "./bundle-error.ts";
import { CompilerSettings } from "./compiler-settings.ts";
import { hostCopies, usesHostCopy } from "./host-copies.ts";
import type { ExtensionPackage } from "./read-package.ts";
import { isCode, type ReadFilesOptions, SourceFiles } from "./source-files.ts";
import { isSystemModule, type SystemImport } from "./system-imports.ts";

export interface BundledCode {
  /** A function expression with the parameters `exports`, `require` and `module`. */
  readonly text: string;
  readonly sourceMap: string;
  readonly cwd: string;
  readonly systemImports: readonly SystemImport[];
  readonly sha256: string;
}

const cwd = "/";
const awaitPattern = /"await".*async|top-level await/i;

/**
 * Runs none of the files.
 * @throws {BundleError}
 */
export async function bundleCode(
  { folder, entry }: ExtensionPackage,
  options: ReadFilesOptions,
): Promise<BundledCode> {
  const files = new SourceFiles(options);
  const entryPath = join(folder, entry);
  await files.checkEntry(entryPath, entry);
  const settings = new CompilerSettings(options);
  try {
    await settings.checkBelow(folder);
    await settings.checkAbove(folder);
  } catch (cause) {
    throw new BundleError([errorMessage(cause)], { cause });
  }
  const built = await outsideOfFolders(cwd, () => build(entryPath, { files, settings }));
  const problems = problemsOf(built, folder);
  const [code, sourceMap] = ["entry-point", "sourcemap"].map((kind) =>
    built.outputs.find((it) => it.kind === kind),
  );
  if (problems.length > 0 || code === undefined || sourceMap === undefined) {
    throw new BundleError(problems.length > 0 ? problems : ["the bundler failed without a reason"]);
  }
  await files.assertUnchanged(folder);
  const systemImports: SystemImport[] = [];
  // A package.json or tsconfig.json can redirect an import, so equal files may produce different code.
  const links: unknown[] = [];
  for (const [name, input] of Object.entries(built.metafile?.inputs ?? {})) {
    const path = resolve(cwd, name);
    const modules = input.imports.flatMap(({ path: found, original = found, external = false }) => {
      const isPower = external
        ? isSystemModule(original)
        : isForeign(resolve(cwd, found), { original, importer: path, folder });
      return isPower ? original : [];
    });
    const led = input.imports.map((to) => [
      to.original,
      to.external === true || relative(folder, resolve(cwd, to.path)),
    ]);
    links.push([relative(folder, path), led]);
    for (const module of new Set(modules)) {
      systemImports.push({ module, file: shownPath(path, folder), line: files.lineOfImport(path, module) });
    }
  }
  const changing = settings.changing(folder);
  return {
    text: await code.text(),
    sourceMap: await sourceMap.text(),
    cwd,
    systemImports,
    sha256: files.sha256(folder, [
      entry,
      links.map((link) => JSON.stringify(link)).toSorted(),
      ...(changing.length === 0 ? [] : [changing]),
    ]),
  };
}

interface OwnImport {
  readonly original: string;
  readonly importer: string;
  readonly folder: string;
}

/** Takes a grant. Code of a package may lie anywhere, as in a workspace. */
function isForeign(path: string, { original, importer, folder }: OwnImport): boolean {
  const real = realPath(path);
  if (real === undefined) return true;
  if (isCode(path) && (!isInside(importer, folder) || isOfPackage(real, { original, importer }))) return false;
  return !isInside(real, folder) && !real.includes(`${sep}node_modules${sep}`);
}

/** Settings, and names like `NAME/../..`, can lead anywhere. */
function isOfPackage(real: string, { original, importer }: Pick<OwnImport, "original" | "importer">): boolean {
  const [name] = /^(?:@[^/]+\/)?[^./][^/]*/.exec(original) ?? [];
  if (name === undefined) return false;
  for (let at = dirname(importer); ; at = dirname(at)) {
    const found = realPath(join(at, "node_modules", name));
    if (found !== undefined) return isInside(real, found);
    if (at === dirname(at)) return false;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

interface BuildOptions {
  readonly files: SourceFiles;
  readonly settings: CompilerSettings;
}

async function build(entry: string, { files, settings }: BuildOptions): Promise<Bun.BuildOutput> {
  const names = [...hostCopies.keys()].map((name) => RegExp.escape(name)).join("|");
  const entryPath = realpathSync(entry);
  try {
    return await Bun.build({
      entrypoints: [entryPath],
      format: "cjs",
      target: "bun",
      sourcemap: "external",
      metafile: true,
      throw: false,
      plugins: [
        {
          name: "incipit",
          setup(builder) {
            // The bundler would resolve it from the working folder, whose tsconfig.json may redirect it.
            builder.onResolve({ filter: /^/ }, ({ kind }) =>
              kind === "entry-point-build" ? { path: entryPath } : undefined,
            );
            builder.onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path, importer }) =>
              usesHostCopy(path, importer) ? { path, external: true } : undefined,
            );
            builder.onResolve({ filter: /^(?:\.\.?)?\// }, async ({ path, importer }) => {
              // The path may lead outside, also through a link.
              await settings.checkAbove(resolve(dirname(importer), path));
              return undefined;
            });
            builder.onResolve({ filter: /^data:/ }, () => {
              throw new Error("code in a data: URL cannot be checked; write it to a file");
            });
            builder.onLoad({ filter: /.*/, namespace: "file" }, ({ path }) => files.load(path));
          },
        },
      ],
    });
  } catch (cause) {
    throw new BundleError([errorMessage(cause)], { cause });
  }
}

function problemsOf(built: Bun.BuildOutput, folder: string): readonly string[] {
  const messages = built.logs.flatMap(({ level, message, position }) => {
    if (level !== "error") return [];
    // Paths are relative to the bundler's own working folder.
    const inside = message.replaceAll(`"${relative(cwd, folder)}${sep}`, '"');
    const isAwait = awaitPattern.test(message);
    const text = isAwait ? `${inside}; move top-level await into activate` : inside;
    if (position === null) return [text];
    const place = position.line > 0 ? `:${position.line}:${position.column}` : "";
    return [`${shownPath(position.file, folder)}${place}: ${text}`];
  });
  const assets = built.outputs.flatMap(({ kind, path }) =>
    kind === "asset"
      ? [`${path.replace(/-[a-z0-9]{8}(?=\.)/, "")}: it is not code; import it with { type: "text" }`]
      : [],
  );
  return [...new Set([...messages, ...assets])];
}

export function shownPath(path: string, folder: string): string {
  return isInside(path, folder) ? relative(folder, path) : path;
}

/** Before the first of the running calls. */
let underWay = 0;
let before: string | undefined;

/**
 * `work` reads package.json or tsconfig.json of the working folder, which must contain none from others. No code that
 * resolves relative paths may run concurrently.
 */
async function outsideOfFolders<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  if (underWay === 0) {
    before = currentFolder();
    process.chdir(folder);
  }
  underWay += 1;
  try {
    return await work();
  } finally {
    underWay -= 1;
    if (underWay === 0 && before !== undefined) goBack(before);
  }
}

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

function goBack(folder: string): void {
  try {
    process.chdir(folder);
  } catch {}
}
