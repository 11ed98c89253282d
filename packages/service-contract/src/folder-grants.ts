import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { Requester } from "@incipit/schema";

/** Tool calls that the user allows in all conversations of a folder. */
export interface FolderGrant {
  /** Identifier for revocation. */
  readonly id: string;
  readonly tool: string;
  /** Provider of the tool; a tool of the same name from another provider does not match. */
  readonly by: Requester;
  /** In the format of `grantsSchema`. */
  readonly grants: readonly string[];
  /** ISO 8601. */
  readonly allowedAt: string;
}

/** A folder's permissions and its identity. */
export interface FolderAllowance {
  /**
   * Identity of the folder inspected. Later grants that pass it apply to this folder only, not to one that replaces
   * it at the same path.
   */
  readonly identity: string;
  readonly allowed: readonly FolderGrant[];
}

/**
 * Permissions of "always" beyond one conversation. They are part of the user's trust in a folder and end with it;
 * files of the folder cannot add any. Restricted to built-in extensions, because only user-facing channels may
 * grant permanently.
 */
export interface FolderGrants {
  /**
   * Returns the grants that apply to the folder at this path; `undefined` if the folder is not trusted or the path
   * contains a link. A folder that replaced the trusted one has none.
   */
  allowedIn(folder: string): Promise<FolderAllowance | undefined>;
  /**
   * Adds a grant. Idempotent: returns the new id, or `undefined` if an equal grant exists.
   * @throws {ServiceError} `INVALID_REQUEST` where none can be added, such as when another folder has replaced it;
   * `STORAGE_FAILED`.
   */
  allow(
    folder: string,
    grant: Pick<FolderGrant, "tool" | "by" | "grants"> & Pick<FolderAllowance, "identity">,
  ): Promise<string | undefined>;
  /**
   * Revokes a grant; succeeds if it no longer exists.
   * @throws {ServiceError} `STORAGE_FAILED`: the grant is still in force.
   */
  takeBack(id: string): Promise<void>;
}

export const folderGrantsHandle: ServiceHandle<FolderGrants> = defineHandle<FolderGrants>("folder-grants@1", {
  allowedIn: "function",
  allow: "function",
  takeBack: "function",
});
