import type { ServiceReference } from "@incipit/kernel";
import { ServiceError, type HostDefaults, type Profile, type ProfilesService } from "@incipit/service-contract";

export interface NamedProfile {
  readonly profile: Profile;
  readonly source: string;
}

export interface ProfileFinderOptions {
  readonly defaults: Pick<HostDefaults, "profiles">;
  /** Without it, only profiles of the configuration exist. */
  readonly profiles: ServiceReference<ProfilesService>;
}

/** @throws {ServiceError} `PROFILE_UNKNOWN`, which lists the existing names. */
export class ProfileFinder {
  readonly #options: ProfileFinderOptions;

  constructor(options: ProfileFinderOptions) {
    this.#options = options;
  }

  async find(
    name: string,
    { cwd, signal }: { readonly cwd: string; readonly signal?: AbortSignal | undefined },
  ): Promise<NamedProfile> {
    const { defaults, profiles } = this.#options;
    const service = profiles.current;
    if (service === undefined) return configured(defaults, name);
    const { profile, source } = await service.get(name, signal === undefined ? { cwd } : { cwd, signal });
    const { path, line } = source;
    const where = path === null ? "" : ` in ${path}${line === null ? "" : `, line ${line}`}`;
    return { profile, source: `profile "${name}"${where}` };
  }
}

function configured({ profiles }: ProfileFinderOptions["defaults"], name: string): NamedProfile {
  const profile = profiles.find((candidate) => candidate.name === name);
  if (profile !== undefined) return { profile, source: `profile "${name}"` };
  const known = profiles.map((candidate) => `"${candidate.name}"`).join(", ") || "none";
  const message = `Unknown profile "${name}"; known: ${known}; add [profiles.${name}] to the configuration`;
  throw new ServiceError("PROFILE_UNKNOWN", message, { details: [{ field: '"profile"' }] });
}
