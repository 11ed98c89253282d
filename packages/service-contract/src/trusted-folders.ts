import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { FolderGrant } from "./folder-grants.ts";
import type { FileTrust } from "./folder-trust.ts";

/** A folder that a person trusts, with what it holds at this moment. */
export interface TrustedFolder {
  /** Absolute, links resolved. */
  readonly path: string;
  /** ISO 8601. */
  readonly trustedAt: string;
  /** Files that can be trusted, by their paths below the folder. `gone`: it was trusted, and is no longer there. */
  readonly files: readonly { readonly name: string; readonly state: FileTrust | "gone" }[];
  /** It is a repository: what git says of it is trusted, too. */
  readonly isRepository: boolean;
  /** What its configuration asks for, a sentence each. */
  readonly wishes: readonly string[];
  /** Why it cannot be looked at, or its configuration cannot be taken; `null`: it can. */
  readonly problem: string | null;
  /** Calls of tools that a person has allowed in its later conversations, oldest first. */
  readonly allowed: readonly FolderGrant[];
}

/** Shows which folders a person trusts. To trust one is for a person at the command. */
export interface TrustedFolders {
  /** Those that were trusted last come first; of more than 100, `leftOut` are not looked at. */
  list(): Promise<{ readonly folders: readonly TrustedFolder[]; readonly leftOut: number }>;
}

export const trustedFoldersHandle: ServiceHandle<TrustedFolders> = defineHandle<TrustedFolders>(
  "trusted-folders@1",
  {
    list: "function",
  },
);
