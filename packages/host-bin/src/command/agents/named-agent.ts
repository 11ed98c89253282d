import { quoted } from "@incipit/cli-text";
import { nearestWord } from "@incipit/common/suggestion";
import type { ProfileProblem } from "@incipit/schema";
import type { Profile } from "@incipit/transport-contract";

/** @throws {Error} that lists the known agents and the untrusted ones. */
export function resolveAgent(
  name: string,
  { profiles, problems }: { readonly profiles: readonly Profile[]; readonly problems: readonly ProfileProblem[] },
): Profile {
  const agent = profiles.find((one) => one.name === name);
  if (agent !== undefined) return agent;
  const nearest = nearestWord(
    name,
    profiles.map((one) => one.name),
  );
  const meant = nearest === undefined ? "incipit agents lists them" : `did you mean "${nearest}"?`;
  const hidden = problems.filter(({ code }) => code === "not-trusted").map(({ message }) => `; ${message}`);
  throw new Error(`There is no agent ${quoted(name)} here; ${meant}${hidden.join("")}`);
}
