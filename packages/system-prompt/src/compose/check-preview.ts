import { isAbsolute } from "node:path";
import type { PreviewSystemPromptRequest } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";

/**
 * What no conversation can be asked for is not shown either.
 * @throws {ServiceError} `PROFILE_UNKNOWN`, `CWD_INVALID`, as a conversation that is made with it.
 */
export function checkPreview(
  { profile, cwd }: Pick<PreviewSystemPromptRequest, "profile" | "cwd">,
  profiles: ReadonlyMap<string, unknown>,
): void {
  if (profile !== undefined && !profiles.has(profile)) {
    const known = [...profiles.keys()].map((name) => `"${name}"`).join(", ") || "none";
    const message = `There is no profile "${profile}"; there are ${known}; add [profiles.${profile}] to the configuration`;
    throw new ServiceError("PROFILE_UNKNOWN", message, { details: [{ field: '"profile"' }] });
  }
  if (cwd !== undefined && !isAbsolute(cwd)) {
    const message = `Cannot use cwd "${cwd}": it is not absolute; write the full path`;
    throw new ServiceError("CWD_INVALID", message, { details: [{ field: '"cwd"' }] });
  }
}
