import { sha256Hex } from "@incipit/common";
import {
  type Clock,
  DeadlineError,
  type Extension,
  type FileSystem,
  KernelError,
  type Manifest,
  readKernelError,
  withDeadline,
} from "@incipit/kernel";
import { systemClock } from "../drivers/clock.ts";
import { errorCode, errorMessage } from "../failures/error-code.ts";
import { createFileSystem } from "../drivers/files/file-system.ts";
import { bundleCode, type BundledCode, shownPath } from "./bundle-code.ts";
import { BundleError } from "./bundle-error.ts";
import { exportedExtension } from "./exported-extension.ts";
import { OriginalPlaces, sourceUrlOf } from "./extension-stack.ts";
import { ImportGate } from "./import-gate.ts";
import { type ExtensionPackage, readPackage } from "./read-package.ts";
import { type SystemImport, systemRemedy } from "./system-imports.ts";
import { Script } from "node:vm";

/** None of its code has run. */
export interface ExtensionFolder {
  readonly path: string;
  readonly manifest: Manifest;
  /** The first of each module in each file. */
  readonly systemImports: readonly SystemImport[];
  /** Covers the manifest and all bundled files, including packages. */
  readonly sha256: string;
  /**
   * Runs the code as read, with fresh module state on each call.
   * @throws {KernelError} `IMPORT_DENIED` before any code has run; `CODE_FAILED` if it throws, exceeds the timeout, or
   * exports no extension with the folder's manifest.
   */
  load(options: LoadOptions): Promise<Extension>;
  originalStack(stack: string): string;
  authorPlace(stack: string): string | undefined;
}

interface LoadOptions {
  readonly isSystemGranted: boolean;
  /** Without `activate`. */
  readonly timeoutMs?: number;
}

export interface ReadOptions {
  readonly clock?: Clock;
  readonly timeoutMs?: number;
}

/**
 * Runs none of the code.
 * @throws {KernelError} `FOLDER_INVALID`, `MANIFEST_INVALID`, `API_MISMATCH`, or `CODE_INVALID` with file, line and
 * column of each problem.
 */
export async function readExtensionFolder(path: string, options: ReadOptions = {}): Promise<ExtensionFolder> {
  const { clock = systemClock, timeoutMs = 30_000 } = options;
  const fs = createFileSystem("host", true, { clock });
  try {
    return await withDeadline(() => read(path, { fs, timeoutMs }), { clock, timeoutMs });
  } catch (cause) {
    if (!(cause instanceof DeadlineError)) throw cause;
    const message = `Cannot read an extension from "${path}": reading its files took more than ${timeoutMs} ms; try again`;
    throw new KernelError("FOLDER_INVALID", message, { cause });
  }
}

async function read(
  path: string,
  options: { readonly fs: FileSystem; readonly timeoutMs: number },
): Promise<ExtensionFolder> {
  const source = await readPackage(path, options);
  let bundle: BundledCode;
  try {
    bundle = await bundleCode(source, options);
  } catch (cause) {
    if (!(cause instanceof BundleError)) throw cause;
    throw codeInvalid(source, cause.problems, cause);
  }
  return parsedFolder(source, bundle);
}

function parsedFolder(source: ExtensionPackage, bundle: BundledCode): ExtensionFolder {
  const { folder, manifest } = source;
  const { text, systemImports } = bundle;
  const sourceUrl = sourceUrlOf(manifest.id, text);
  const places = new OriginalPlaces(sourceUrl, bundle);
  try {
    parseBundle(text, sourceUrl);
  } catch (cause) {
    throw codeInvalid(source, [syntaxProblem(cause, { text, places, folder })], cause);
  }
  return {
    path: folder,
    manifest,
    systemImports,
    sha256: sha256Hex(JSON.stringify([manifest, bundle.sha256])),
    async load({ isSystemGranted, timeoutMs = 10_000 }) {
      if (!isSystemGranted) checkImports(manifest.id, systemImports);
      try {
        const imports = new ImportGate(manifest.id, { isSystemGranted });
        // Inside the `try`, because getters of the exports can throw as well.
        return exportedExtension(runBundle(text, { sourceUrl, imports, timeoutMs }), manifest);
      } catch (cause) {
        const { code, message } = readKernelError(cause) ?? {};
        const isTold = message !== undefined && (code === "IMPORT_DENIED" || code === "CODE_FAILED");
        const why = isTold
          ? message
          : `Cannot load "${manifest.id}": ${importProblem(cause, { places, folder, timeoutMs })}`;
        throw new KernelError(isTold ? code : "CODE_FAILED", why, { extension: manifest.id, cause });
      }
    },
    originalStack: (stack) => places.originalStack(stack),
    authorPlace(stack) {
      const place = places.topOf(stack);
      return place === undefined ? undefined : `${place.file}:${place.line}:${place.column}`;
    },
  };
}

function syntaxProblem(
  error: unknown,
  { text, places, folder }: { readonly text: string; readonly places: OriginalPlaces; readonly folder: string },
): string {
  const index = text.indexOf("import.meta");
  if (index === -1) return errorMessage(error);
  const before = text.slice(0, index).split("\n");
  const place = places.placeOf(before.length, (before.at(-1)?.length ?? 0) + 1);
  const where = place === undefined ? "" : `${shownPath(place.file, folder)}:${place.line}:${place.column}: `;
  return `${where}of import.meta, an extension has url, dir, dirname, file, filename, path and main`;
}

function importProblem(
  error: unknown,
  {
    places,
    folder,
    timeoutMs,
  }: { readonly places: OriginalPlaces; readonly folder: string; readonly timeoutMs: number },
): string {
  try {
    if (errorCode(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      return `its code takes more than ${timeoutMs} ms to import; do the work in activate`;
    const place = places.topOf(error instanceof Error ? String(error.stack) : "");
    const where = place === undefined ? "" : ` at ${shownPath(place.file, folder)}:${place.line}:${place.column}`;
    return `its code throws during import${where}: ${errorMessage(error)}`;
  } catch {
    return "its code throws an unreadable value during import";
  }
}

/** @throws {KernelError} `IMPORT_DENIED` listing all imports. */
function checkImports(extension: string, imports: readonly SystemImport[]): void {
  if (imports.length === 0) return;
  const refusals = imports.map(
    ({ module, file, line }) => `${file}:${line} imports "${module}" (${systemRemedy(module)})`,
  );
  const message = `Cannot load "${extension}": it was not granted "system": ${refusals.join("; ")}`;
  throw new KernelError("IMPORT_DENIED", message, { extension });
}

function codeInvalid(
  { folder, manifest }: ExtensionPackage,
  problems: readonly string[],
  cause: unknown,
): KernelError {
  const list = problems.length === 1 ? ` ${problems.join("")}` : `\n${problems.join("\n")}`;
  const message = `Cannot load "${manifest.id}" from "${folder}":${list}`;
  return new KernelError("CODE_INVALID", message, { extension: manifest.id, cause });
}

interface RunOptions {
  readonly sourceUrl: string;
  readonly imports: ImportGate;
  readonly timeoutMs: number;
}

const pending = Symbol.for("incipit.pendingBundle");
/** A script, because only scripts support a timeout. */
const callPending = new Script('globalThis[Symbol.for("incipit.pendingBundle")]()');

/**
 * Not a module: modules, and with them old code, stay in the runtime's registry forever.
 * @throws what the code throws; {Error} `ERR_SCRIPT_EXECUTION_TIMEOUT` on timeout.
 */
function runBundle(text: string, { sourceUrl, imports, timeoutMs }: RunOptions): unknown {
  // The types of `new Script` restrict `import()` to modules of node:vm; the runtime accepts any namespace.
  const script: Script = Reflect.construct(Script, [
    text,
    { filename: sourceUrl, importModuleDynamically: (module: string) => imports.import(module) },
  ]);
  const start: unknown = script.runInThisContext();
  if (typeof start !== "function") throw new SyntaxError("The bundler returned no function");
  const module = { exports: {} };
  const require = (name: unknown): unknown => imports.require(String(name));
  const value = (): unknown => Reflect.apply(start, module.exports, [module.exports, require, module]);
  Object.defineProperty(globalThis, pending, { value, configurable: true });
  try {
    callPending.runInThisContext({ timeout: timeoutMs });
  } finally {
    Reflect.deleteProperty(globalThis, pending);
  }
  return module.exports;
}

/** @throws {SyntaxError} for code that the bundler accepts and the engine rejects. */
function parseBundle(text: string, sourceUrl: string): void {
  void new Script(text, { filename: sourceUrl });
}
