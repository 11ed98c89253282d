import {
  askedGrant,
  effectiveGrant,
  grantDifference,
  grantProblems,
  type Grant,
  type Manifest,
} from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { capabilitiesSchema, type grantRequiredDetailsSchema } from "@incipit/transport-contract";
import type * as z from "zod";
import { describeGrant, questionsOf, unasked, underOtherKeys, withContracts } from "./grant-words.ts";
import type { InstalledExtension } from "./installed-extensions.ts";

export interface DecideOptions {
  /** Of the code that is to be loaded. */
  readonly sha256: string;
  readonly given: Grant | undefined;
  readonly kept: InstalledExtension | undefined;
  /** Entries under its id about which nobody has decided, and which it would get. */
  readonly stored: number;
}

/**
 * What an extension gets: of what it asks for, what the operator gives now, or gave to a version of it that asked for no
 * less; and the services and points that need no question, unless the operator names others.
 * @throws {ServiceError} `GRANT_REQUIRED`, with what it asks for, and what of that is new, or that its code has changed under
 *   a grant that was asked for; `INVALID_REQUEST` for a grant
 *   that has entries which cannot be granted.
 */
export function decideGrant(manifest: Manifest, { sha256, given, kept, stored }: DecideOptions): Grant {
  const { id, version } = manifest;
  const asked = askedGrant(manifest);
  if (given !== undefined) {
    const problems = grantProblems(given);
    if (problems.length > 0)
      throw new ServiceError("INVALID_REQUEST", `Cannot grant that to "${id}": ${problems.join("; ")}`);
    const granted = effectiveGrant(asked, withContracts(given, underOtherKeys(unasked(asked), given)));
    if (stored > 0 && granted.storage !== undefined) refuseStored(manifest, { sha256, granted, stored });
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
  const details: z.infer<typeof grantRequiredDetailsSchema> = {
    id,
    version,
    asked: capabilitiesSchema.parse(asked),
    grant: capabilitiesSchema.parse(asked),
    sha256,
    stored: asked.storage === undefined ? 0 : stored,
    isCodeChanged: false,
    words: [...describeGrant(asked)],
    newWords: [...describeGrant(more)],
  };
  const since = kept === undefined ? "" : `, beyond what was granted to ${kept.versions}`;
  throw new ServiceError(
    "GRANT_REQUIRED",
    `Cannot load "${id}" ${version}: it asks for more than it was granted${since}: it ${questions.join("; it ")}. Grant it (incipit extensions add PATH; for one that runs: swap ID PATH), or leave it`,
    { details },
  );
}

/** What an extension keeps of its own is no power over others. @throws {ServiceError} `GRANT_REQUIRED`. */
function refuseChanged(
  manifest: Manifest,
  { sha256, granted }: { readonly sha256: string; readonly granted: Grant },
): void {
  const { id, version } = manifest;
  const { storage: _storage, ...others } = granted;
  const questions = questionsOf(others);
  if (questions.length === 0) return;
  const details: z.infer<typeof grantRequiredDetailsSchema> = {
    id,
    version,
    asked: capabilitiesSchema.parse(askedGrant(manifest)),
    grant: capabilitiesSchema.parse(granted),
    sha256,
    stored: 0,
    isCodeChanged: true,
    words: [...describeGrant(granted)],
    newWords: [],
  };
  throw new ServiceError(
    "GRANT_REQUIRED",
    `Cannot load "${id}" ${version}: its code has changed since it was granted what it has: it ${questions.join("; it ")}. Grant it again (incipit extensions add PATH; for one that runs: swap ID), or put the code back`,
    { details },
  );
}

/** Ids are free again once an extension is removed, and what that has stored is not. @throws {ServiceError} `GRANT_REQUIRED`. */
function refuseStored(
  manifest: Manifest,
  { sha256, granted, stored }: { readonly sha256: string; readonly granted: Grant; readonly stored: number },
): never {
  const { id, version } = manifest;
  const details: z.infer<typeof grantRequiredDetailsSchema> = {
    id,
    version,
    asked: capabilitiesSchema.parse(askedGrant(manifest)),
    grant: capabilitiesSchema.parse(granted),
    sha256,
    stored,
    isCodeChanged: false,
    words: [...describeGrant(granted)],
    newWords: [],
  };
  throw new ServiceError(
    "GRANT_REQUIRED",
    `Cannot load "${id}" ${version}: something was stored under this id before (entries: ${stored}), by whatever had it then, and it would get that; send "data": "keep" for it to have that, or delete it first (DELETE /extensions/${id}/data)`,
    { details },
  );
}
