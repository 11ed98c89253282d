import type { Profile } from "@incipit/service-contract";
import type { StoredConversation } from "../store/stored.ts";

export type ProfileRules = Pick<
  StoredConversation,
  "askedTools" | "deniedTools" | "mcpServers" | "skills" | "settings"
>;

export function profileRules(profile: Profile | undefined): ProfileRules {
  const { asked = [], denied = [] } = profile?.tools ?? {};
  const { settings = {}, mcpServers, skills } = profile ?? {};
  return {
    ...(asked.length === 0 ? {} : { askedTools: [...asked] }),
    ...(denied.length === 0 ? {} : { deniedTools: [...denied] }),
    ...(mcpServers === undefined ? {} : { mcpServers: [...mcpServers] }),
    ...(skills === undefined ? {} : { skills: [...skills] }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}

/** A task's rules never exceed those of its caller. */
export function rulesWithin(caller: ProfileRules, own: ProfileRules): ProfileRules {
  const askedTools = union(caller.askedTools, own.askedTools);
  const deniedTools = union(caller.deniedTools, own.deniedTools);
  const mcpServers = both(caller.mcpServers, own.mcpServers);
  const skills = both(caller.skills, own.skills);
  return {
    ...own,
    ...(askedTools.length === 0 ? {} : { askedTools }),
    ...(deniedTools.length === 0 ? {} : { deniedTools }),
    ...(mcpServers === undefined ? {} : { mcpServers }),
    ...(skills === undefined ? {} : { skills }),
  };
}

function union(one: readonly string[] = [], other: readonly string[] = []): string[] {
  return [...new Set([...one, ...other])];
}

function both(one: string[] | undefined, other: string[] | undefined): string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((name) => other.includes(name));
}
