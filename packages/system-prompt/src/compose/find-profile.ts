import type { ServiceReference } from "@incipit/kernel";
import { ServiceError, type HostDefaults, type Profile, type ProfilesService } from "@incipit/service-contract";

export interface NamedProfile {
  readonly profile: Profile;
  readonly source: string;
}

export interface FindProfileOptions {
  readonly defaults: Pick<HostDefaults, "profiles">;
  /** Without it, only profiles of the configuration exist. */
  readonly profiles: ServiceReference<ProfilesService>;
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
}

/** @throws {ServiceError} `PROFILE_UNKNOWN`, which lists the existing names. */
export async function findProfile(
  name: string,
  { defaults, profiles, cwd, signal }: FindProfileOptions,
): Promise<NamedProfile> {
  const service = profiles.current;
  if (service !== undefined) {
    const { profile, source } = await service.get(name, signal === undefined ? { cwd } : { cwd, signal });
    const { path, line } = source;
    const where = path === null ? "" : ` in ${path}${line === null ? "" : `, line ${line}`}`;
    return { profile, source: `profile "${name}"${where}` };
  }
  const profile = defaults.profiles.find((candidate) => candidate.name === name);
  if (profile !== undefined) return { profile, source: `profile "${name}"` };
  const known = defaults.profiles.map((candidate) => `"${candidate.name}"`).join(", ") || "none";
  const message = `Unknown profile "${name}"; known: ${known}; add [profiles.${name}] to the configuration`;
  throw new ServiceError("PROFILE_UNKNOWN", message, { details: [{ field: '"profile"' }] });
}
