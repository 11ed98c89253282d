import type { ProfileProblem, ProfileSource, ShadowedProfile } from "@incipit/schema";
import type { FoundProfile, Profile } from "@incipit/service-contract";
import type { FoundFile } from "./found-file.ts";
import type { ParsedAgent } from "./parsed-agent.ts";

export interface FoundAgent {
  readonly profile: Profile;
  readonly source: ProfileSource;
  readonly written?: { readonly file: FoundFile; readonly agent: ParsedAgent };
  readonly shadowed: FoundAgent[];
}

export class FoundAgents {
  readonly problems: ProfileProblem[] = [];
  readonly #byName = new Map<string, FoundAgent>();

  get all(): readonly FoundAgent[] {
    return [...this.#byName.values()];
  }

  get(name: string): FoundAgent | undefined {
    return this.#byName.get(name);
  }

  async takeFile(file: FoundFile): Promise<void> {
    const { path, folder } = file;
    const { agents, problems } = await file.parsed();
    for (const problem of problems) this.problems.push({ ...problem, path });
    for (const agent of agents) {
      const source = { tier: folder.tier, path, line: agent.line };
      for (const problem of agent.problems) this.problems.push({ ...problem, path });
      const before = this.#take({ profile: agent.profile, source, written: { file, agent }, shadowed: [] });
      const beside = before.find(({ written }) => written?.file.folder.path === folder.path);
      if (beside === undefined) continue;
      const message = `"${agent.profile.name}" is in ${placeOf(beside.source)} as well, which comes first: give one of the two another name`;
      this.problems.push({ code: "same-name", path, line: agent.line, message });
    }
  }

  takeConfigured(profile: Profile): void {
    this.#take({ profile, source: { tier: "configuration", path: null, line: null }, shadowed: [] });
  }

  #take(agent: FoundAgent): readonly FoundAgent[] {
    const winner = this.#byName.get(agent.profile.name);
    if (winner === undefined) {
      this.#byName.set(agent.profile.name, agent);
      return [];
    }
    const before = [winner, ...winner.shadowed];
    winner.shadowed.push(agent);
    return before;
  }
}

export function toFoundProfile({ profile, source, written, shadowed }: FoundAgent): FoundProfile {
  return {
    profile,
    source,
    shadowed: shadowed.map((other): ShadowedProfile => ({ ...other.source, reason: whyShadowed(source, other) })),
    problems: (written?.agent.problems ?? []).map(({ message }) => message),
  };
}

function whyShadowed(winner: ProfileSource, { source, profile: { name } }: FoundAgent): string {
  const nearer = winner.tier === source.tier && winner.tier !== "parent" ? "comes first there" : "is nearer";
  return `"${name}" of ${placeOf(winner)} ${nearer}`;
}

function placeOf({ path, line }: ProfileSource): string {
  if (path === null) return "the configuration";
  return line === null ? path : `${path}, line ${line}`;
}
