import type { FileSystem } from "@incipit/kernel";

/** Returns a read-only file system without files, in which `own` replaces methods. */
export function fileSystemWith(own: Partial<FileSystem>): FileSystem {
  const refused = async () => ({ kind: "refused", reason: "denied" }) as const;
  const absent = async () => ({ kind: "absent", reason: "not-found" }) as const;
  return {
    readFile: absent,
    list: absent,
    readFolder: absent,
    locate: refused,
    writeFile: refused,
    removeFile: refused,
    ...own,
  };
}
