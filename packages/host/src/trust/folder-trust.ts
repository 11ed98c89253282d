import type { FolderTrust } from "@incipit/service-contract";
import type { TrustStore, TrustStoreOptions } from "./trust-store.ts";

/** The store is loaded on first use, because most starts need none. */
export function folderTrust(options: TrustStoreOptions): FolderTrust {
  let opened: Promise<TrustStore> | undefined;
  const open = (): Promise<TrustStore> =>
    (opened ??= import("./trust-store.ts").then(({ TrustStore }) => new TrustStore(options)));
  return {
    judgeFile: async (path, sha256) => (await open()).judge(path, sha256),
    judgeFiles: async (files) => (await open()).judgeAll(files),
    judgeFolder: async (path) => ((await open()).folder(path) === undefined ? "not-trusted" : "trusted"),
  };
}
