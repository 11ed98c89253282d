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

/**
 * What an extension gets: of what it asks for, what the operator gives now, or gave to a version of it that asked for no
 * less; and the services and points that need no question, unless the operator names others.
 * @throws {ServiceError} `GRANT_REQUIRED`, with what it asks for, and what of that is new; `INVALID_REQUEST` for a grant
 *   that has entries which cannot be granted.
 */
export function decideGrant(
  manifest: Manifest,
  { given, kept }: { readonly given: Grant | undefined; readonly kept: InstalledExtension | undefined },
): Grant {
  const { id, version } = manifest;
  const asked = askedGrant(manifest);
  if (given !== undefined) {
    const problems = grantProblems(given);
    if (problems.length > 0)
      throw new ServiceError("INVALID_REQUEST", `Cannot grant that to "${id}": ${problems.join("; ")}`);
    return effectiveGrant(asked, withContracts(given, underOtherKeys(unasked(asked), given)));
  }
  const isKept = kept !== undefined && Bun.semver.satisfies(version, kept.versions);
  const more = grantDifference(asked, isKept ? kept.asked : {});
  const questions = questionsOf(more);
  if (questions.length === 0)
    return effectiveGrant(asked, withContracts(isKept ? kept.granted : {}, unasked(more)));
  const details: z.infer<typeof grantRequiredDetailsSchema> = {
    id,
    version,
    asked: capabilitiesSchema.parse(asked),
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
