import { defineHandle, type ServiceHandle } from "@incipit/kernel";

export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its media type. */
  readonly type: string;
  /** Whether its path names its content: it is never another one. */
  readonly isImmutable: boolean;
}

/** The files of the page that people use in their browser. */
export interface PageFiles {
  /** @param path As it is asked for, such as `/`; `undefined`: the page has no such file. */
  find(path: string): Promise<PageFile | undefined>;
}

export const pageFilesHandle: ServiceHandle<PageFiles> = defineHandle<PageFiles>("page-files@1", {
  find: "function",
});
