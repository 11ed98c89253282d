import { grantWarning } from "@incipit/schema";

/** Returns a warning for each `--allow` that allows more than it seems to. */
export function grantWarnings(allow: readonly string[]): readonly string[] {
  return allow.flatMap((grant) => {
    const warning = grantWarning(grant);
    return warning === undefined ? [] : [`--allow "${grant}" ${warning}`];
  });
}
