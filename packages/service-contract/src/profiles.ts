import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { ProfileProblem, ProfileSource, ShadowedProfile } from "@incipit/schema";
import type { Profile } from "./host-defaults.ts";
import type { EntityTags } from "./prompt-templates.ts";

/** A profile that counts, with where it is written, and the others of its name. */
export interface FoundProfile {
  readonly profile: Profile;
  readonly source: ProfileSource;
  /** The nearest first. */
  readonly shadowed: readonly ShadowedProfile[];
  /** What is wrong in it without keeping it from being used, a sentence each. */
  readonly problems: readonly string[];
}

export interface FoundProfiles {
  /** Those of the working folder first, then those above it, the user's and the configuration's; by name in each file's folder. */
  readonly profiles: readonly FoundProfile[];
  readonly problems: readonly ProfileProblem[];
}

export interface ProfileOptions {
  /** The working folder; absolute. */
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

/** An agent with its text, as its file has it. */
export interface WrittenProfile extends FoundProfile {
  /** What its file has; of one with several, its own part without the empty lines behind it. `null`: it is configured. */
  readonly text: string | null;
  /** A strong entity tag with its quotes: another text, or file, is another tag. `null`: it has no text. */
  readonly etag: string | null;
}

/** `new`: there must be none of the name yet where it is to be. `change`: the one that counts, while its tag is one of these. */
export type ProfileWriteCondition =
  | { readonly kind: "new"; readonly place: "folder" | "user" }
  | { readonly kind: "change"; readonly ifMatch: EntityTags };

export interface ProfileWrite extends ProfileOptions {
  /** All that its file is to have of it, keys and prompt. Line ends become CRLF where the file has no others. */
  readonly text: string;
  readonly condition: ProfileWriteCondition;
}

export interface ProfileRemoval extends ProfileOptions {
  readonly ifMatch: EntityTags;
}

/**
 * The named agents of a working folder, nearest first: those of its files and of the folders above it, of the user's files, and
 * of the configuration. Files of a folder count only with the content that a person trusts; nothing else of them is told.
 *
 * Every method rejects with a {@link ServiceError}.
 */
export interface ProfilesService {
  list(options: ProfileOptions): Promise<FoundProfiles>;
  /** The one of the name that counts. Rejects with `PROFILE_UNKNOWN`, which says which there are. */
  get(name: string, options: ProfileOptions): Promise<FoundProfile>;
  /** As `get`, with its text. */
  read(name: string, options: ProfileOptions): Promise<WrittenProfile>;
  /**
   * Writes an agent where it came from, or a new one: `.agents/NAME.md` of the working folder, or `agents/NAME.md` of the user.
   * The rest of the file stays byte for byte, and it is replaced as a whole or not at all. What is written into a folder counts
   * at once, and has to be in one that a person trusts.
   *
   * Rejects with `PROFILE_INVALID` for a text that is not this agent; `PROFILE_CONFLICT` with both texts, for one that is another
   * by now; `PROFILE_EXISTS`; `PROFILE_CONFIGURED`; `FOLDER_NOT_TRUSTED`; `CAPABILITY_DENIED` for a link that leads out, and for
   * what the system denies; `STORAGE_FAILED` when the file cannot be written.
   */
  write(name: string, change: ProfileWrite): Promise<WrittenProfile>;
  /** Takes an agent out of its file, and the file away when it is its own. Rejects as `write` does. */
  remove(name: string, removal: ProfileRemoval): Promise<void>;
}

export const profilesHandle: ServiceHandle<ProfilesService> = defineHandle<ProfilesService>("profiles@1", {
  list: "function",
  get: "function",
  read: "function",
  write: "function",
  remove: "function",
});
