import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** `changed`: the user trusted this file with different content. */
export type FileTrust = "trusted" | "not-trusted" | "changed";

/** The user's trust in files of working folders, by content. Read-only. */
export interface FolderTrust {
  /**
   * @param path Absolute, with links resolved.
   * @param sha256 Lower-case hex digest of the bytes to be used, so that the file cannot be replaced after the
   * check.
   */
  judgeFile(path: string, sha256: string): Promise<FileTrust>;
  /** Like `judgeFile` for several files, with a single lookup. Results keep the order. */
  judgeFiles(files: readonly { readonly path: string; readonly sha256: string }[]): Promise<readonly FileTrust[]>;
  /**
   * Whether the user trusts this folder, for content that cannot be hashed. @param path Absolute, with links
   * resolved.
   */
  judgeFolder(path: string): Promise<"trusted" | "not-trusted">;
}

export const folderTrustHandle: ServiceHandle<FolderTrust> = defineHandle<FolderTrust>("folder-trust@1", {
  judgeFile: "function",
  judgeFiles: "function",
  judgeFolder: "function",
});
