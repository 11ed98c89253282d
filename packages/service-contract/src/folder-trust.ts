import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** `changed`: a person trusted the file with other content. */
export type FileTrust = "trusted" | "not-trusted" | "changed";

/** Which files of working folders a person trusts, each with the content that it had then. Asking changes nothing. */
export interface FolderTrust {
  /**
   * @param path Absolute, links resolved.
   * @param sha256 Of the bytes that are to be used, in lower-case hex: nobody can exchange the file after it was judged.
   */
  judgeFile(path: string, sha256: string): Promise<FileTrust>;
  /** As `judgeFile`, for many: what a person says is looked up once. In their order. */
  judgeFiles(files: readonly { readonly path: string; readonly sha256: string }[]): Promise<readonly FileTrust[]>;
  /** Whether a person trusts this very folder, for what cannot be hashed. @param path Absolute, links resolved. */
  judgeFolder(path: string): Promise<"trusted" | "not-trusted">;
}

export const folderTrustHandle: ServiceHandle<FolderTrust> = defineHandle<FolderTrust>("folder-trust@1", {
  judgeFile: "function",
  judgeFiles: "function",
  judgeFolder: "function",
});
