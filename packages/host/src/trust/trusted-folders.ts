import type { FolderTrust, TrustedFolder, TrustedFolders } from "@incipit/service-contract";
import { errorMessage } from "../failures/error-code.ts";
import type { ConfigSchema } from "../configuration/config-schema.ts";
import { examineFolder } from "./examine-folder.ts";
import { readFolderConfig } from "./folder-config.ts";
import type { TrustedFolder as StoredFolder } from "./trust-file.ts";
import { TrustStore, type TrustStoreOptions } from "./trust-store.ts";

/** Each folder is read whole. */
const maxFolders = 100;

export function trustedFolders(
  options: TrustStoreOptions & { readonly schema: ConfigSchema },
): ReturnType<TrustedFolders["list"]> {
  const store = new TrustStore(options);
  const all = store.folders().toSorted((a, b) => (a.trustedAt < b.trustedAt ? 1 : -1));
  const folders = all.slice(0, maxFolders).map((folder) => lookAt(folder, { store, schema: options.schema }));
  return Promise.resolve({ folders, leftOut: all.length - folders.length });
}

function lookAt(
  { path, files: trusted, trustedAt, allowed: kept }: StoredFolder,
  { store, schema }: { readonly store: TrustStore; readonly schema: ConfigSchema },
): TrustedFolder {
  const allowed = kept.map(({ id, tool, by, grants, allowedAt }) => ({ id, tool, by, grants, allowedAt }));
  const gone = (names: readonly string[]): TrustedFolder["files"] => names.map((name) => ({ name, state: "gone" }));
  try {
    const { files, repository, wishes, problem = null } = examineFolder(readFolderConfig(path), { store, schema });
    const there = files.map(({ name, trust }) => ({ name, state: trust }));
    const missing = Object.keys(trusted).filter((name) => !there.some((file) => file.name === name));
    const isRepository = repository !== undefined;
    return { path, trustedAt, files: [...there, ...gone(missing)], isRepository, wishes, problem, allowed };
  } catch (error) {
    // Moved, deleted, or no longer accessible to the host.
    const problem = errorMessage(error);
    return {
      path,
      trustedAt,
      files: gone(Object.keys(trusted)),
      isRepository: false,
      wishes: [],
      problem,
      allowed,
    };
  }
}

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
