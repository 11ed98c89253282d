import type { FileSystem } from "@incipit/kernel";

/** Without files, and read-only. */
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
