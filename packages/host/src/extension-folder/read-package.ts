import { jsonTextProblem, KernelError, parseManifest, type FileSystem, type Manifest } from "@incipit/kernel";
import { realpath, stat } from "node:fs/promises";
import { join, normalize } from "node:path";
import * as z from "zod";
import { errorCode, errorMessage } from "../failures/error-code.ts";
import { jsonPlace } from "./json-place.ts";

export interface ExtensionPackage {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly entry: string;
}

const recordSchema = z.record(z.string(), z.unknown());
const maxPackageBytes = 1_048_576;
const defaultEntry = "src/index.ts";
const conditions: ReadonlySet<string> = new Set(["bun", "import", "default"]);

/** @throws {KernelError} `FOLDER_INVALID`, and the errors of `parseManifest`. */
export async function readPackage(
  path: string,
  { fs, timeoutMs }: { readonly fs: FileSystem; readonly timeoutMs: number },
): Promise<ExtensionPackage> {
  const folder = await realFolder(path);
  const file = join(folder, "package.json");
  const read = await fs.readFile(file, { cwd: folder, maxBytes: maxPackageBytes, timeoutMs });
  if (read.kind === "absent") {
    const why = read.reason === "not-found" ? "it has no package.json" : `its package.json is ${read.reason}`;
    throw invalid(folder, `${why}; an extension has one, with its manifest under the key "incipit"`);
  }
  const text = new TextDecoder().decode(read.bytes);
  const content = recordSchema.safeParse(await parseJson(text, folder));
  if (!content.success) throw invalid(folder, "its package.json is not a JSON object");
  const { version, exports, incipit } = content.data;
  if (incipit === undefined) {
    throw invalid(
      folder,
      'its package.json has no key "incipit"; write the manifest there, or take another folder',
    );
  }
  const manifest = parsedManifest(withVersion(incipit, version), { file, text });
  return { folder, manifest, entry: entryOf(exports, folder) };
}

async function realFolder(path: string): Promise<string> {
  const remedy = "name the folder with the extension's package.json";
  try {
    const folder = await realpath(path);
    if ((await stat(folder)).isDirectory()) return folder;
  } catch (error) {
    throw invalid(path, `${errorCode(error) === "ENOENT" ? "it does not exist" : errorMessage(error)}; ${remedy}`);
  }
  throw invalid(path, `it is not a folder; ${remedy}`);
}

async function parseJson(text: string, folder: string): Promise<unknown> {
  const problem = jsonTextProblem(text);
  if (problem !== undefined) throw invalid(folder, `its package.json is ${problem}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(
      folder,
      `its package.json is not valid JSON: package.json:${await jsonProblem(text, errorMessage(error))}`,
    );
  }
}

function withVersion(incipit: unknown, version: unknown): unknown {
  const manifest = recordSchema.safeParse(incipit);
  if (!manifest.success || version === undefined) return incipit;
  return { version, ...manifest.data };
}

function parsedManifest(
  input: unknown,
  { file, text }: { readonly file: string; readonly text: string },
): Manifest {
  const placeOf = (path: readonly PropertyKey[]): string => `package.json:${jsonPlace(text, ["incipit", ...path])}`;
  try {
    return parseManifest(input, { placeOf });
  } catch (error) {
    if (!KernelError.is(error)) throw error;
    const message = `${error.message} (key "incipit" of "${file}")`;
    const extension = error.extension === undefined ? {} : { extension: error.extension };
    throw new KernelError(error.code, message, { ...extension, cause: error });
  }
}

function entryOf(exports: unknown, folder: string): string {
  if (exports === undefined) return defaultEntry;
  const target = targetOf(rootOf(exports));
  const entry = target?.startsWith("./") === true ? normalize(target) : undefined;
  if (entry === undefined || entry.startsWith("..")) {
    const message = `exports["."] of its package.json is not a file inside it; write "./${defaultEntry}", or omit it`;
    throw invalid(folder, message);
  }
  return entry;
}

function rootOf(exports: unknown): unknown {
  const record = recordSchema.safeParse(exports);
  if (!record.success) return exports;
  const hasPaths = Object.keys(record.data).some((key) => key.startsWith("."));
  return hasPaths ? record.data["."] : record.data;
}

function targetOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const record = recordSchema.safeParse(value);
  if (!record.success) return undefined;
  for (const [condition, target] of Object.entries(record.data)) {
    const found = conditions.has(condition) ? targetOf(target) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function invalid(folder: string, why: string): KernelError {
  return new KernelError("FOLDER_INVALID", `Cannot read an extension from "${folder}": ${why}`);
}

/** A string, or syntax that Bun accepts and JSON does not. */
const lenient = /"(?:\\.|[^"\\\n])*"|(,\s*[}\]]|\/[/*]|'|[}\]]\s*\S)/g;

/** Describes a JSON error, such as `3:5: Expected "," but found "b"`. */
async function jsonProblem(text: string, fallback: string): Promise<string> {
  // The runtime's JSON.parse reports no position; the bundler's parser does.
  const name = "/package.json";
  const built = await Bun.build({ entrypoints: [name], files: { [name]: text }, throw: false });
  const [problem] = built.logs;
  const place = problem?.position;
  if (problem !== undefined && place !== null && place !== undefined) {
    return `${place.line}:${place.column}: ${problem.message}`;
  }
  const index = [...text.matchAll(lenient)].find(([, found]) => found !== undefined)?.index ?? 0;
  const before = text.slice(0, index).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}: ${fallback.replace(/^JSON Parse error: /, "")}`;
}
