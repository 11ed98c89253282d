import { defineHandle, type ServiceHandle } from "@incipit/kernel";

export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Media type. */
  readonly type: string;
  /** Whether the path contains a content hash, so that the file never changes. */
  readonly isImmutable: boolean;
}

/** Static files of the web UI. */
export interface PageFiles {
  /**
   * @param path URL path, such as `/`.
   * @returns `undefined` if there is no such file.
   */
  find(path: string): Promise<PageFile | undefined>;
}

export const pageFilesHandle: ServiceHandle<PageFiles> = defineHandle<PageFiles>("page-files@1", {
  find: "function",
});
