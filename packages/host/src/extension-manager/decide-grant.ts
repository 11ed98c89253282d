import {
  requestedGrant,
  effectiveGrant,
  grantDifference,
  grantProblems,
  type Grant,
  type Manifest,
} from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { capabilitiesSchema, type grantRequiredDetailsSchema } from "@incipit/transport-contract";
import type * as z from "zod";
import { describeGrant, questionsOf, unasked, underOtherKeys, withContracts } from "./describe-grant.ts";
import type { InstalledExtension } from "./installed-extensions.ts";

export interface DecideOptions {
  readonly sha256: string;
  readonly given: Grant | undefined;
  readonly kept: InstalledExtension | undefined;
  /** Without a decision, under its id; it would gain access to them. */
  readonly stored: number;
}

/**
 * Grants what the operator grants now or granted to a version with at least the same requests, plus services and points
 * that need no confirmation, unless the operator lists others.
 * @throws {ServiceError} `GRANT_REQUIRED` with the request, its new parts, or the note that the code has changed under
 * a confirmed grant; `INVALID_REQUEST` for a grant with entries that cannot be granted.
 */
export function decideGrant(manifest: Manifest, { sha256, given, kept, stored }: DecideOptions): Grant {
  const { id, version } = manifest;
  const asked = requestedGrant(manifest);
  if (given !== undefined) {
    const problems = grantProblems(given);
    if (problems.length > 0)
      throw new ServiceError("INVALID_REQUEST", `Cannot grant that to "${id}": ${problems.join("; ")}`);
    const granted = effectiveGrant(asked, withContracts(given, underOtherKeys(unasked(asked), given)));
    // Removing an extension frees its id but keeps its stored data.
    if (stored > 0 && granted.storage !== undefined)
      throw grantRequired(
        manifest,
        `an earlier extension stored ${stored} entries under this id; send "data": "keep" to keep them, or delete them first (DELETE /extensions/${id}/data)`,
        { sha256, grant: granted, stored },
      );
    return granted;
  }
  const isKept = kept !== undefined && Bun.semver.satisfies(version, kept.versions);
  const more = grantDifference(asked, isKept ? kept.asked : {});
  const questions = questionsOf(more);
  if (questions.length === 0) {
    const granted = effectiveGrant(asked, withContracts(isKept ? kept.granted : {}, unasked(more)));
    if (kept?.sha256 !== undefined && kept.sha256 !== sha256) refuseChanged(manifest, { sha256, granted });
    return granted;
  }
  const since = kept === undefined ? "" : `, beyond what was granted to ${kept.versions}`;
  throw grantRequired(
    manifest,
    `it requests more than granted${since}: it ${questions.join("; it ")}. Grant it (incipit extensions add PATH; for one that runs: swap ID PATH), or keep the current one`,
    { sha256, grant: asked, more, stored: asked.storage === undefined ? 0 : stored },
  );
}

/**
 * An extension's own storage needs no confirmation.
 * @throws {ServiceError} `GRANT_REQUIRED`.
 */
function refuseChanged(
  manifest: Manifest,
  { sha256, granted }: { readonly sha256: string; readonly granted: Grant },
): void {
  const { storage: _storage, ...others } = granted;
  const questions = questionsOf(others);
  if (questions.length === 0) return;
  throw grantRequired(
    manifest,
    `its code has changed since the grant: it ${questions.join("; it ")}. Grant it again (incipit extensions add PATH; for one that runs: swap ID), or restore the code`,
    { sha256, grant: granted, isCodeChanged: true },
  );
}

interface Asked {
  readonly sha256: string;
  readonly grant: Grant;
  readonly more?: Grant;
  readonly stored?: number;
  readonly isCodeChanged?: boolean;
}

function grantRequired(
  manifest: Manifest,
  why: string,
  { sha256, grant, more = {}, stored = 0, isCodeChanged = false }: Asked,
): ServiceError {
  const { id, version } = manifest;
  const details: z.infer<typeof grantRequiredDetailsSchema> = {
    id,
    version,
    asked: capabilitiesSchema.parse(requestedGrant(manifest)),
    grant: capabilitiesSchema.parse(grant),
    sha256,
    stored,
    isCodeChanged,
    words: [...describeGrant(grant)],
    newWords: [...describeGrant(more)],
  };
  return new ServiceError("GRANT_REQUIRED", `Cannot load "${id}" ${version}: ${why}`, { details });
}
