import type { Storage } from "@incipit/kernel";
import { ServiceError, type ProfilesService } from "@incipit/service-contract";
import { AgentWriter, toWrittenProfile } from "./agent-writer.ts";
import { Discovery, type Discovered, type DiscoveryOptions } from "./discovery.ts";
import { WrittenFiles } from "./written-files.ts";
import { toFoundProfile, type FoundAgent } from "./found-agents.ts";

const maxNamed = 20;

export function createProfiles({
  storage,
  ...options
}: Omit<DiscoveryOptions, "written"> & { readonly storage: Storage }): ProfilesService {
  const written = new WrittenFiles(storage);
  const discovery = new Discovery({ ...options, written });
  const { fs, userFolder } = options;
  return new Profiles(discovery, new AgentWriter({ fs, discovery, written, userFolder }));
}

class Profiles implements ProfilesService {
  readonly #discovery: Discovery;
  readonly #writer: AgentWriter;

  constructor(discovery: Discovery, writer: AgentWriter) {
    this.#discovery = discovery;
    this.#writer = writer;
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

  async read(
    name: string,
    { cwd, signal }: Parameters<ProfilesService["read"]>[1],
  ): ReturnType<ProfilesService["read"]> {
    return toWrittenProfile(namedAgent(await this.#discovery.find(cwd, signal), name));
  }

  write(name: string, change: Parameters<ProfilesService["write"]>[1]): ReturnType<ProfilesService["write"]> {
    return this.#writer.write(name, change);
  }

  remove(name: string, removal: Parameters<ProfilesService["remove"]>[1]): Promise<void> {
    return this.#writer.remove(name, removal);
  }
}

function namedAgent({ agents }: Pick<Discovered, "agents">, name: string): FoundAgent {
  const found = agents.get(name);
  if (found !== undefined) return found;
  const names = agents.all.map(({ profile }) => `"${profile.name}"`);
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  const known = names.length === 0 ? "none" : `${names.slice(0, maxNamed).join(", ")}${more}`;
  const hidden = agents.problems.filter(({ code }) => code === "not-trusted").map(({ message }) => ` (${message})`);
  const message = `Unknown profile ${JSON.stringify(name)} for this folder; known: ${known}${hidden.join("")}; add it as .agents/NAME.md, or as [profiles.NAME] in the configuration`;
  throw new ServiceError("PROFILE_UNKNOWN", message, { details: [{ field: '"profile"' }] });
}
