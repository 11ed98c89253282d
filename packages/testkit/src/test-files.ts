import { KernelError, type Environment, type FileRead, type FileSystem, type FsGrant } from "@incipit/kernel";
import { resolve } from "node:path";

export type TestFiles = Readonly<Record<string, string | Uint8Array>>;

/** Files from an object: absolute paths without links. A folder is whatever a path goes through. */
export function createTestFiles(grant: true | FsGrant, files: TestFiles): FileSystem {
  const contents = new Map(Object.entries(files));
  const read = (path: string, cwd: string, maxBytes: number): FileRead => {
    const whole = resolve(cwd, path);
    const folders = grant === true ? ["/"] : (grant.read ?? []).map((entry) => resolve(entry.replace("$cwd", cwd)));
    if (!folders.some((folder) => whole === folder || whole.startsWith(folder === "/" ? "/" : `${folder}/`)))
      return { kind: "absent", reason: "denied" };
    const content = contents.get(whole);
    if (content === undefined) {
      const isFolder = [...contents.keys()].some((other) => other.startsWith(`${whole}/`));
      return { kind: "absent", reason: isFolder ? "not-a-file" : "not-found" };
    }
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return bytes.length > maxBytes ? { kind: "absent", reason: "too-large" } : { kind: "read", bytes, path: whole };
  };
  return {
    async readFile(path, { cwd, maxBytes, signal }) {
      signal?.throwIfAborted();
      return read(path, cwd, maxBytes);
    },
  };
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
