import { grantWarning } from "@incipit/schema";

export function grantWarnings(allow: readonly string[]): readonly string[] {
  return allow.flatMap((grant) => {
    const warning = grantWarning(grant);
    return warning === undefined ? [] : [`--allow "${grant}" ${warning}`];
  });
}
