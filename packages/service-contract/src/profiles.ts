import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { ProfileProblem, ProfileSource, ShadowedProfile } from "@incipit/schema";
import type { Profile } from "./host-defaults.ts";
import type { EntityTags } from "./prompt-templates.ts";

/** An agent in effect, with its source and the agents that it shadows. */
export interface FoundProfile {
  readonly profile: Profile;
  readonly source: ProfileSource;
  /** Nearest first. */
  readonly shadowed: readonly ShadowedProfile[];
  /** Non-fatal problems, one sentence each. */
  readonly problems: readonly string[];
}

export interface FoundProfiles {
  /**
   * Agents of the working folder, then of its parents, the user and the configuration; sorted by name within a
   * source.
   */
  readonly profiles: readonly FoundProfile[];
  readonly problems: readonly ProfileProblem[];
}

export interface ProfileOptions {
  /** The working folder; absolute. */
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

/** An agent with its source text. */
export interface WrittenProfile extends FoundProfile {
  /**
   * Content of its file, or its own section of a file with several, without trailing blank lines. `null` if it
   * comes from the configuration.
   */
  readonly text: string | null;
  /** Strong entity tag, with quotes, of the text and file; `null` without a text. */
  readonly etag: string | null;
}

/**
 * `new`: no agent of this name may exist at the target. `change`: the agent in effect must match one of the tags.
 */
export type ProfileWriteCondition =
  | { readonly kind: "new"; readonly place: "folder" | "user" }
  | { readonly kind: "change"; readonly ifMatch: EntityTags };

export interface ProfileWrite extends ProfileOptions {
  /** Complete text of the agent, with keys and prompt. Line ends become CRLF if the file uses only those. */
  readonly text: string;
  readonly condition: ProfileWriteCondition;
}

export interface ProfileRemoval extends ProfileOptions {
  readonly ifMatch: EntityTags;
}

/**
 * Named agents of a working folder: from its files and its parents', the user's files, and the configuration,
 * nearest first. Files of a folder are used only with content that the user trusts, and are not disclosed
 * otherwise.
 *
 * Every method rejects with a {@link ServiceError}.
 */
export interface ProfilesService {
  list(options: ProfileOptions): Promise<FoundProfiles>;
  /**
   * Returns the agent in effect for a name.
   * @throws {ServiceError} `PROFILE_UNKNOWN`, which lists the existing names.
   */
  get(name: string, options: ProfileOptions): Promise<FoundProfile>;
  /** Like `get`, with the source text. */
  read(name: string, options: ProfileOptions): Promise<WrittenProfile>;
  /**
   * Updates an agent in its file, or creates one: `.agents/NAME.md` in the working folder, or `agents/NAME.md` of
   * the user. The rest of the file is preserved byte for byte, and the file is replaced atomically. A new agent of
   * a folder takes effect immediately; the folder must be trusted.
   * @throws {ServiceError} `PROFILE_INVALID` if the text does not define this agent; `PROFILE_CONFLICT` with both
   * texts if it has changed; `PROFILE_EXISTS`; `PROFILE_CONFIGURED`; `FOLDER_NOT_TRUSTED`; `CAPABILITY_DENIED` for
   * a link out of the folder or missing file permissions; `STORAGE_FAILED`.
   */
  write(name: string, change: ProfileWrite): Promise<WrittenProfile>;
  /**
   * Removes an agent from its file, and deletes the file if nothing else remains.
   * @throws {ServiceError} Like `write`.
   */
  remove(name: string, removal: ProfileRemoval): Promise<void>;
}

export const profilesHandle: ServiceHandle<ProfilesService> = defineHandle<ProfilesService>("profiles@1", {
  list: "function",
  get: "function",
  read: "function",
  write: "function",
  remove: "function",
});
