import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { FolderGrant } from "./folder-grants.ts";
import type { FileTrust } from "./folder-trust.ts";

/** A folder that the user trusts, with its current content. */
export interface TrustedFolder {
  /** Absolute, with links resolved. */
  readonly path: string;
  /** ISO 8601. */
  readonly trustedAt: string;
  /** Files that can be trusted, by path relative to the folder. `gone`: trusted, but no longer present. */
  readonly files: readonly { readonly name: string; readonly state: FileTrust | "gone" }[];
  /** A git repository: the output of git is trusted too. */
  readonly isRepository: boolean;
  /** Permissions requested by the folder's configuration, one sentence each. */
  readonly wishes: readonly string[];
  /** Why the folder cannot be read or its configuration is invalid; `null` if it is fine. */
  readonly problem: string | null;
  /** Tool calls allowed in all conversations of the folder, oldest first. */
  readonly allowed: readonly FolderGrant[];
}

/** Lists trusted folders. Only the command line can grant trust. */
export interface TrustedFolders {
  /** Most recently trusted first, at most 100; `leftOut` counts the rest. */
  list(): Promise<{ readonly folders: readonly TrustedFolder[]; readonly leftOut: number }>;
}

export const trustedFoldersHandle: ServiceHandle<TrustedFolders> = defineHandle<TrustedFolders>(
  "trusted-folders@1",
  {
    list: "function",
  },
);
