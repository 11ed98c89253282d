import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { Asker } from "@incipit/schema";

/** Calls of a tool that a person has allowed in a folder, for its later conversations, too. */
export interface FolderGrant {
  /** By which it is taken back. */
  readonly id: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Who gives the tool: another one's of that name is another tool. */
  readonly by: Asker;
  /** As `grantsSchema` takes them. */
  readonly grants: readonly string[];
  /** ISO 8601. */
  readonly allowedAt: string;
}

/** What is allowed in a folder, and which folder that is. */
export interface FolderAllowance {
  /** The very folder: what is allowed later, about this look, is for it alone. */
  readonly identity: string;
  readonly allowed: readonly FolderGrant[];
}

/**
 * What "always" covers beyond one conversation. It is a part of a person's trust in a folder, and ends with it; the folder itself
 * has no say. Between the host's own extensions: to allow for good is for the ways in that a person has.
 */
export interface FolderGrants {
  /**
   * Those that count in the folder of this path; `undefined`: none can, as nobody trusts it, or the path leads there by a link. One
   * that stands in the place of the folder that was meant has none.
   */
  allowedIn(folder: string): Promise<FolderAllowance | undefined>;
  /**
   * Gives the id of what was added; `undefined`: it was allowed before, and once more is once. Rejects with `INVALID_REQUEST` where
   * none can be, such as when another folder stands there by now, and `STORAGE_FAILED`: nothing was allowed then.
   */
  allow(
    folder: string,
    grant: Pick<FolderGrant, "tool" | "by" | "grants"> & Pick<FolderAllowance, "identity">,
  ): Promise<string | undefined>;
  /** One that is gone already is no failure. Rejects with `STORAGE_FAILED`: it counts still. */
  takeBack(id: string): Promise<void>;
}

export const folderGrantsHandle: ServiceHandle<FolderGrants> = defineHandle<FolderGrants>("folder-grants@1", {
  allowedIn: "function",
  allow: "function",
  takeBack: "function",
});
