import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { cwdProblem } from "./cwd-problem.ts";
import { findModel, type FoundModel } from "../models/find-model.ts";

export interface CallTarget {
  /** Absolute. */
  readonly cwd: string;
  /** PROVIDER/MODEL. */
  readonly model: string;
  readonly profile: string | null;
  readonly found: FoundModel;
}

/**
 * What is asked for, else what the profile says, else the host's default.
 * @throws {ServiceError} `PROFILE_UNKNOWN`, `CWD_INVALID`, `MODEL_UNKNOWN`.
 */
export function callTarget(
  { defaults, providers }: Pick<OrchestratorContext, "defaults" | "providers">,
  request: {
    readonly cwd?: string | undefined;
    readonly model?: string | undefined;
    readonly profile?: string | undefined;
  },
): CallTarget {
  const profile = defaults.profiles.find(({ name }) => name === request.profile);
  if (request.profile !== undefined && profile === undefined) {
    const known = defaults.profiles.map(({ name }) => `"${name}"`).join(", ") || "none";
    throw new ServiceError(
      "PROFILE_UNKNOWN",
      `There is no profile "${request.profile}"; there are ${known}; add [profiles.${request.profile}] to the configuration`,
      { details: [{ field: '"profile"' }] },
    );
  }
  const cwd = request.cwd ?? defaults.cwd;
  const problem = cwdProblem(cwd);
  if (problem !== undefined) throw new ServiceError("CWD_INVALID", problem, { details: [{ field: '"cwd"' }] });
  const model = request.model ?? profile?.model ?? defaults.model;
  try {
    return { cwd, model, profile: request.profile ?? null, found: findModel(providers, model) };
  } catch (error) {
    if (request.model !== undefined || profile?.model === undefined || !ServiceError.is(error)) throw error;
    const message = `The model of profile "${request.profile}" cannot be used. ${error.message}`;
    throw new ServiceError(error.code, message, { cause: error });
  }
}
