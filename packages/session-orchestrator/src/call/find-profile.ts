import { ServiceError, type Profile } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";

/** @throws {ServiceError} `PROFILE_UNKNOWN` with the available profiles. */
export async function findProfile(
  { defaults, profiles }: Pick<OrchestratorContext, "defaults" | "profiles">,
  name: string,
  cwd: string,
): Promise<Profile> {
  const service = profiles.current;
  if (service !== undefined) return (await service.get(name, { cwd })).profile;
  const profile = defaults.profiles.find((configured) => configured.name === name);
  if (profile !== undefined) return profile;
  const known = defaults.profiles.map((configured) => `"${configured.name}"`).join(", ") || "none";
  throw new ServiceError(
    "PROFILE_UNKNOWN",
    `Unknown profile "${name}"; known: ${known}; add [profiles.${name}] to the configuration`,
    { details: [{ field: '"profile"' }] },
  );
}
