import {
  KernelError,
  type Environment,
  type FileRead,
  type FileSystem,
  type FileWrite,
  type FolderEntry,
  type FolderList,
  type FsGrant,
} from "@incipit/kernel";
import { resolve } from "node:path";

export type TestFiles = Readonly<Record<string, string | Uint8Array>>;

/** By absolute path, without links or times. Every path prefix is a folder. */
export class TestFileStore {
  readonly #contents: Map<string, Uint8Array>;

  constructor(files: TestFiles) {
    const entries = Object.entries(files);
    this.#contents = new Map(
      entries.map(([path, content]) => [
        path,
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      ]),
    );
  }

  /** Including written ones; tests may delete them. */
  get files(): Map<string, Uint8Array> {
    return this.#contents;
  }

  fileSystem(grant: true | FsGrant): FileSystem {
    const isGranted = (whole: string, kind: keyof FsGrant, cwd: string): boolean =>
      grant === true ||
      (grant[kind] ?? []).some((entry) => {
        const folder = resolve(entry.replace("$cwd", () => cwd));
        return whole === folder || isBelow(whole, folder);
      });
    return {
      readFile: async (path, { cwd, maxBytes, signal }) => {
        signal?.throwIfAborted();
        const whole = resolve(cwd, path);
        if (!isGranted(whole, "read", cwd)) return { kind: "absent", reason: "denied" };
        return this.#read(whole, maxBytes);
      },
      list: async (path, { cwd, maxEntries, signal }) => {
        signal?.throwIfAborted();
        const whole = resolve(cwd, path);
        if (!isGranted(whole, "read", cwd)) return { kind: "absent", reason: "denied" };
        const listed = this.#list(whole, maxEntries);
        // The working folder exists even without files.
        const isEmpty = listed.kind === "absent" && listed.reason === "not-found" && whole === resolve(cwd);
        return isEmpty ? { kind: "listed", entries: [], leftOut: 0, path: whole } : listed;
      },
      locate: async (path, { cwd, signal }) => {
        signal?.throwIfAborted();
        const whole = resolve(cwd, path);
        if (!isGranted(whole, "write", cwd)) return { kind: "refused", reason: "denied" };
        return { kind: "located", path: whole };
      },
      writeFile: async (path, bytes, { cwd, expected, place, createFolders = false, signal }) => {
        signal?.throwIfAborted();
        const whole = resolve(cwd, path);
        if (place !== undefined && place !== whole) return { kind: "refused", reason: "changed" };
        if (!isGranted(whole, "write", cwd)) return { kind: "refused", reason: "denied" };
        const parent = resolve(whole, "..");
        if (!createFolders && parent !== resolve(cwd) && !this.#isFolder(parent))
          return { kind: "refused", reason: "not-found" };
        return this.#write(whole, bytes, expected);
      },
      readFolder: async (path, { cwd, ending, maxFiles, maxBytes, signal }) => {
        signal?.throwIfAborted();
        const whole = resolve(cwd, path);
        if (!isGranted(whole, "read", cwd)) return { kind: "absent", reason: "denied" };
        const listed = this.#list(whole, Infinity);
        if (listed.kind === "absent") return listed;
        const names = listed.entries.flatMap(({ name }) => (name.endsWith(ending) ? name : []));
        const files = names.slice(0, maxFiles).map((name) => {
          const read = this.#read(resolve(whole, name), maxBytes);
          return read.kind === "read" ? { name, ...read, mark: null } : { name, ...read };
        });
        return { kind: "read", files, leftOut: names.length - files.length, path: whole };
      },
      removeFile: async (path, { cwd, expected, signal }) => {
        signal?.throwIfAborted();
        const whole = resolve(cwd, path);
        if (!isGranted(whole, "write", cwd)) return { kind: "refused", reason: "denied" };
        const before = this.#contents.get(whole);
        if (before === undefined) return { kind: "refused", reason: "not-found" };
        if (!Buffer.from(before).equals(expected)) return { kind: "refused", reason: "changed" };
        this.#contents.delete(whole);
        return { kind: "removed", path: whole };
      },
    };
  }

  #isFolder(whole: string): boolean {
    return [...this.#contents.keys()].some((path) => isBelow(path, whole));
  }

  #read(whole: string, maxBytes: number): FileRead {
    const bytes = this.#contents.get(whole);
    if (bytes === undefined) return { kind: "absent", reason: this.#isFolder(whole) ? "not-a-file" : "not-found" };
    return bytes.length > maxBytes
      ? { kind: "absent", reason: "too-large" }
      : { kind: "read", bytes: bytes.slice(), path: whole };
  }

  #list(whole: string, maxEntries: number): FolderList {
    if (this.#contents.has(whole)) return { kind: "absent", reason: "not-a-folder" };
    if (!this.#isFolder(whole)) return { kind: "absent", reason: "not-found" };
    const found = new Map<string, FolderEntry>();
    for (const [path, bytes] of this.#contents) {
      if (!isBelow(path, whole)) continue;
      const [name = "", ...below] = path.slice(whole === "/" ? 1 : whole.length + 1).split("/");
      const isFile = below.length === 0;
      const kind = isFile ? "file" : "folder";
      found.set(name, { name, kind, sizeBytes: isFile ? bytes.length : 0, modifiedAtMs: 0 });
    }
    const sorted = [...found.values()].toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
    const entries = sorted.slice(0, maxEntries);
    return { kind: "listed", entries, leftOut: sorted.length - entries.length, path: whole };
  }

  #write(whole: string, bytes: Uint8Array, expected: Uint8Array | null | undefined): FileWrite {
    if (this.#isFolder(whole)) return { kind: "refused", reason: "not-a-file" };
    const before = this.#contents.get(whole);
    const isExpected =
      expected === undefined ||
      (expected === null || before === undefined
        ? expected === null && before === undefined
        : Buffer.compare(before, expected) === 0);
    if (!isExpected) return { kind: "refused", reason: "changed" };
    this.#contents.set(whole, bytes.slice());
    return { kind: "written", path: whole };
  }
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

export function createTestEnvironment(
  extension: string,
  grant: true | readonly string[],
  variables: Readonly<Record<string, string>>,
): Environment {
  const values = new Map(Object.entries(variables));
  return {
    get(name) {
      if (grant === true || grant.includes(name)) return values.get(name);
      const message = `Cannot read variable "${name}" for "${extension}": granted are ${grant.map((entry) => `"${entry}"`).join(", ") || "none"}`;
      throw new KernelError("CAPABILITY_DENIED", message, { extension });
    },
  };
}
