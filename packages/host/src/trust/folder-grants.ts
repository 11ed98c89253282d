import { ServiceError, type FolderGrants } from "@incipit/service-contract";
import { realpathSync, statSync } from "node:fs";
import { errorMessage } from "../failures/error-code.ts";
import type { TrustStore, TrustStoreOptions } from "./trust-store.ts";

/** The store is loaded on first use. */
export function folderGrants(options: TrustStoreOptions): FolderGrants {
  let opened: Promise<TrustStore> | undefined;
  const open = (): Promise<TrustStore> =>
    (opened ??= import("./trust-store.ts").then(({ TrustStore }) => new TrustStore(options)));
  return {
    async allowedIn(path) {
      const known = (await open()).folder(path);
      const identity = known === undefined ? undefined : folderIdentity(path);
      if (known === undefined || identity === undefined) return undefined;
      return { identity, allowed: known.allowed.filter((grant) => grant.folder === identity) };
    },
    async allow(path, { identity, ...grant }) {
      const store = await open();
      const folder = folderIdentity(path);
      if (folder === undefined || store.folder(path) === undefined) throw notTrusted(path);
      if (folder !== identity) throw notThatFolder(path);
      const outcome = stored(() => store.allow(path, { ...grant, grants: [...grant.grants], folder }));
      if (outcome.kind === "not-trusted") throw notTrusted(path);
      return outcome.kind === "added" ? outcome.id : undefined;
    },
    async takeBack(id) {
      const store = await open();
      stored(() => store.takeBack(id));
    },
  };
}

/** @throws {ServiceError} `STORAGE_FAILED` */
function stored<Result>(change: () => Result): Result {
  try {
    return change();
  } catch (cause) {
    throw new ServiceError("STORAGE_FAILED", errorMessage(cause), { cause });
  }
}

/** Inodes are reused, hence the creation time. `undefined` for a path with a link, which could be redirected. */
function folderIdentity(path: string): string | undefined {
  try {
    const stat = statSync(path, { bigint: true });
    // Without a creation time, another folder could reuse the inode.
    if (!stat.isDirectory() || stat.birthtimeNs === 0n || realpathSync(path) !== path) return undefined;
    return `${stat.ino}-${stat.birthtimeNs}`;
  } catch {
    return undefined; // Deleted or inaccessible: nothing can be granted there.
  }
}

function notThatFolder(path: string): ServiceError {
  const message = `Nothing was allowed for later conversations in ${JSON.stringify(path)}: the folder was replaced since the question; allow it for this conversation, or trust the new folder (incipit trust add)`;
  return new ServiceError("INVALID_REQUEST", message);
}

function notTrusted(path: string): ServiceError {
  const message = `Nothing can be allowed for later conversations in ${JSON.stringify(path)}: you do not trust that folder; trust it first (incipit trust add), or allow it for this conversation`;
  return new ServiceError("INVALID_REQUEST", message);
}
