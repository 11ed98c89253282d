import { nearestWord } from "@incipit/common/suggestion";
import { quoted } from "@incipit/cli-text";
import { routes, type Client, type Profile } from "@incipit/transport-contract";

/** @throws {Error} that lists the known agents and the untrusted ones. */
export async function resolveAgent(client: Client, name: string, cwd: string): Promise<Profile> {
  const { profiles, problems } = await client.call(routes.listProfiles, { query: { cwd } });
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
