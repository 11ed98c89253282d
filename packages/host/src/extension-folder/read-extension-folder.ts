import {
  DeadlineError,
  KernelError,
  settledError,
  withDeadline,
  type Clock,
  type Extension,
  type FileSystem,
  type Manifest,
} from "@incipit/kernel";
import { systemClock } from "../drivers/clock.ts";
import { errorCode, errorMessage } from "../failures/error-code.ts";
import { createFileSystem } from "../drivers/files/file-system.ts";
import { bundleCode, shownPath, type BundledCode } from "./bundle-code.ts";
import { BundleError } from "./bundle-error.ts";
import { exportedExtension } from "./exported-extension.ts";
import { OriginalPlaces, sourceUrlOf } from "./extension-stack.ts";
import { ImportGate } from "./import-gate.ts";
import { parseBundle, runBundle } from "./run-bundle.ts";
import { readPackage, type ExtensionPackage } from "./read-package.ts";
import { systemRemedy, type SystemImport } from "./system-imports.ts";

/** A folder with an extension in it, as it was when it was read. None of its code has run. */
export interface ExtensionFolder {
  /** Absolute, links followed. */
  readonly path: string;
  /** From the key "incipit" of package.json; its version is that of package.json where the key has none. */
  readonly manifest: Manifest;
  /** What it imports of the system: of each file, the first import of each such module. */
  readonly systemImports: readonly SystemImport[];
  /** Hash of its manifest and of all files that its code is made of, those of packages too. */
  readonly sha256: string;
  /**
   * Runs the code that was read, anew at each call: its files have their own state each time. What was changed on the disk
   * since is not in it.
   * @throws {KernelError} `IMPORT_DENIED` before any of it has run; `CODE_FAILED` when it throws, does not come back in
   *   time, or exports no extension with the folder's manifest.
   */
  load(options: LoadOptions): Promise<Extension>;
  /** The stack of an error with the lines of this code put back to the author's files; the others stay as they are. */
  originalStack(stack: string): string;
  /** `FILE:LINE:COLUMN` of the author's line nearest to the top of a stack; `undefined`: none is in it. */
  authorPlace(stack: string): string | undefined;
}

interface LoadOptions {
  /** The operator lets it import what the host does not give. */
  readonly isSystemGranted: boolean;
  /** Longest time that its files may take when they are imported; `activate` is not part of it. */
  readonly timeoutMs?: number;
}

export interface ReadOptions {
  readonly clock?: Clock;
  /** Longest wait for all of its files. */
  readonly timeoutMs?: number;
}

/**
 * Reads the extension in a folder, and puts its files together, without running any of them.
 * @throws {KernelError} `FOLDER_INVALID`, `MANIFEST_INVALID`, `API_MISMATCH`, or `CODE_INVALID` with file, line and column
 *   of each problem.
 */
export async function readExtensionFolder(path: string, options: ReadOptions = {}): Promise<ExtensionFolder> {
  const { clock = systemClock, timeoutMs = 30_000 } = options;
  const fs = createFileSystem("host", true, { clock });
  try {
    return await withDeadline(() => read(path, { fs, timeoutMs }), { clock, timeoutMs });
  } catch (cause) {
    if (!(cause instanceof DeadlineError)) throw cause;
    const message = `Cannot read an extension from "${path}": its files did not come within ${timeoutMs} ms; try again`;
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
    sha256: new Bun.CryptoHasher("sha256").update(JSON.stringify([manifest, bundle.sha256])).digest("hex"),
    async load({ isSystemGranted, timeoutMs = 10_000 }) {
      if (!isSystemGranted) checkImports(manifest.id, systemImports);
      try {
        const imports = new ImportGate(manifest.id, { isSystemGranted });
        // What it exports is read in here as well: by getters, which throw what they like.
        return exportedExtension(runBundle(text, { sourceUrl, imports, timeoutMs }), manifest);
      } catch (cause) {
        const { code, message } = settledError(cause) ?? {};
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

/** The bundler took it, and the engine does not. */
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
      return `its code does not come back within ${timeoutMs} ms when it is imported; do the work in activate`;
    const place = places.topOf(error instanceof Error ? String(error.stack) : "");
    const where = place === undefined ? "" : ` at ${shownPath(place.file, folder)}:${place.line}:${place.column}`;
    return `its code throws when it is imported${where}: ${errorMessage(error)}`;
  } catch {
    return "its code throws something that cannot be read when it is imported";
  }
}

/** @throws {KernelError} `IMPORT_DENIED` that names all of them. */
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
