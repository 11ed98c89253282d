import {
  capabilityProblems,
  describeCapabilities,
  effectiveGrant,
  grantDifference,
  type Capabilities,
  type Manifest,
} from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { capabilitiesSchema, type grantRequiredDetailsSchema } from "@incipit/transport-contract";
import type * as z from "zod";
import type { InstalledExtension } from "./installed-extensions.ts";

/**
 * What an extension gets: of what it asks for, what the operator gives now, or gave to a version of it that asked for no
 * less.
 * @throws {ServiceError} `GRANT_REQUIRED`, with what it asks for, and what of that is new; `INVALID_REQUEST` for a grant
 *   that has entries which cannot be granted.
 */
export function decideGrant(
  manifest: Manifest,
  { given, kept }: { readonly given: Capabilities | undefined; readonly kept: InstalledExtension | undefined },
): Capabilities {
  const { id, version, capabilities: asked = {} } = manifest;
  if (given !== undefined) {
    const problems = capabilityProblems(given);
    if (problems.length === 0) return effectiveGrant(asked, given);
    throw new ServiceError("INVALID_REQUEST", `Cannot grant that to "${id}": ${problems.join("; ")}`);
  }
  const isKept = kept !== undefined && Bun.semver.satisfies(version, kept.versions);
  const more = grantDifference(asked, isKept ? kept.asked : {});
  const newWords = describeCapabilities(more);
  if (newWords.length === 0) return isKept ? effectiveGrant(asked, kept.granted) : {};
  const details: z.infer<typeof grantRequiredDetailsSchema> = {
    id,
    version,
    asked: capabilitiesSchema.parse(asked),
    words: [...describeCapabilities(asked)],
    newWords: [...newWords],
  };
  const since = kept === undefined ? "" : `, beyond what was granted to ${kept.versions}`;
  throw new ServiceError(
    "GRANT_REQUIRED",
    `Cannot load "${id}" ${version}: it asks for more than it was granted${since}: it ${newWords.join("; it ")}. Grant it (incipit extensions add PATH; for one that runs: swap ID PATH), or leave it`,
    { details },
  );
}
