import { ServiceError, type Profile } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { cwdProblem } from "./usable-folder.ts";
import { findModel, type FoundModel } from "../models/find-model.ts";

export interface CallTarget {
  readonly cwd: string;
  readonly model: string;
  readonly profile: string | null;
  readonly agent: Profile | undefined;
  readonly found: FoundModel;
}

/**
 * The request overrides the profile, which overrides the host's defaults.
 *
 * @throws {ServiceError} `PROFILE_UNKNOWN`, `CWD_INVALID`, `MODEL_UNKNOWN`.
 */
export async function callTarget(
  { defaults, providers, profiles }: Pick<OrchestratorContext, "defaults" | "providers" | "profiles">,
  request: {
    readonly cwd?: string | undefined;
    readonly model?: string | undefined;
    readonly profile?: string | undefined;
  },
): Promise<CallTarget> {
  const cwd = request.cwd ?? defaults.cwd;
  const problem = cwdProblem(cwd);
  if (problem !== undefined) throw new ServiceError("CWD_INVALID", problem, { details: [{ field: '"cwd"' }] });
  const profile =
    request.profile === undefined ? undefined : await findProfile({ defaults, profiles }, request.profile, cwd);
  const model = request.model ?? profile?.model ?? defaults.model;
  try {
    return { cwd, model, profile: request.profile ?? null, agent: profile, found: findModel(providers, model) };
  } catch (error) {
    if (request.model !== undefined || profile?.model === undefined || !ServiceError.is(error)) throw error;
    const message = `The model of profile "${request.profile}" cannot be used. ${error.message}`;
    throw new ServiceError(error.code, message, { cause: error });
  }
}

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
