import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { ProfileProblem, ProfileSource, ShadowedProfile } from "@incipit/schema";
import type { Profile } from "./host-defaults.ts";

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
}

export const profilesHandle: ServiceHandle<ProfilesService> = defineHandle<ProfilesService>("profiles@1", {
  list: "function",
  get: "function",
});
