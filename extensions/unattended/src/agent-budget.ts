import type { ServiceReference } from "@incipit/kernel";
import {
  ServiceError,
  type BudgetedAgent,
  type HostDefaults,
  type Profile,
  type ProfilesService,
} from "@incipit/service-contract";

export interface AgentBudgetOptions {
  readonly defaults: Pick<HostDefaults, "profiles" | "cwd">;
  readonly profiles: ServiceReference<ProfilesService>;
}

export async function agentBudget(
  { profile: name, cwd }: BudgetedAgent,
  { defaults, profiles }: AgentBudgetOptions,
): Promise<Profile["budget"]> {
  const service = profiles.current;
  if (service === undefined) return defaults.profiles.find((profile) => profile.name === name)?.budget;
  try {
    return (await service.get(name, { cwd: cwd ?? defaults.cwd })).profile.budget;
  } catch (error) {
    // Starting the turn reports it.
    if (ServiceError.is(error) && (error.code === "PROFILE_UNKNOWN" || error.code === "CWD_INVALID"))
      return undefined;
    throw error;
  }
}
