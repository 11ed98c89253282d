import type { Storage } from "@incipit/kernel";
import { ServiceError, type ProfilesService } from "@incipit/service-contract";
import { Discovery, type Discovered, type DiscoveryOptions } from "./discovery.ts";
import { WrittenFiles } from "./written-files.ts";
import { toFoundProfile, type FoundAgent } from "./found-agents.ts";

/** More names than anybody reads. */
const maxNamed = 20;

export function createProfiles({
  storage,
  ...options
}: Omit<DiscoveryOptions, "written"> & { readonly storage: Storage }): ProfilesService {
  return new Profiles(new Discovery({ ...options, written: new WrittenFiles(storage) }));
}

/** What `profiles@1` says of the agents of a folder. */
class Profiles implements ProfilesService {
  readonly #discovery: Discovery;

  constructor(discovery: Discovery) {
    this.#discovery = discovery;
  }

  async list({ cwd, signal }: Parameters<ProfilesService["list"]>[0]): ReturnType<ProfilesService["list"]> {
    const { agents } = await this.#discovery.find(cwd, signal);
    return { profiles: agents.all.map(toFoundProfile), problems: agents.problems };
  }

  async get(
    name: string,
    { cwd, signal }: Parameters<ProfilesService["get"]>[1],
  ): ReturnType<ProfilesService["get"]> {
    return toFoundProfile(namedAgent(await this.#discovery.find(cwd, signal), name));
  }
}

/** @throws {ServiceError} `PROFILE_UNKNOWN` that says which there are, and what nobody trusts. */
function namedAgent({ agents }: Pick<Discovered, "agents">, name: string): FoundAgent {
  const found = agents.get(name);
  if (found !== undefined) return found;
  const names = agents.all.map(({ profile }) => `"${profile.name}"`);
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  const known = names.length === 0 ? "none" : `${names.slice(0, maxNamed).join(", ")}${more}`;
  const hidden = agents.problems.filter(({ code }) => code === "not-trusted").map(({ message }) => ` (${message})`);
  const message = `There is no profile ${JSON.stringify(name)} for this folder; there are ${known}${hidden.join("")}; write it as .agents/NAME.md, or as [profiles.NAME] in the configuration`;
  throw new ServiceError("PROFILE_UNKNOWN", message, { details: [{ field: '"profile"' }] });
}
