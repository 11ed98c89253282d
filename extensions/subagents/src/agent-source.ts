import type { ServiceReference } from "@incipit/kernel";
import { conversationIdSchema } from "@incipit/schema";
import type { ConversationsService, ToolSource } from "@incipit/service-contract";
import { agentTool, type AgentToolOptions } from "./agent-tool.ts";
import type { UsableProfile } from "./usable-profiles.ts";

export interface AgentSourceOptions extends Omit<AgentToolOptions, "profiles" | "isProfileRequired"> {
  readonly conversations: ServiceReference<ConversationsService>;
  readonly profiles: () => readonly UsableProfile[];
  readonly names: readonly string[] | undefined;
  readonly maxDepth: number;
}

/** Only for conversations that may start tasks, so not at the maximal depth. */
export function agentSource({
  conversations,
  profiles,
  names,
  maxDepth,
  ...options
}: AgentSourceOptions): ToolSource {
  return {
    id: "subagents",
    async tools({ conversationId }) {
      const { parent } = await conversations.get().get(conversationIdSchema.parse(conversationId));
      if ((parent?.depth ?? 0) >= maxDepth) return { tools: [], problems: [] };
      const usable = profiles();
      const unknown = (names ?? []).filter((name) => !usable.some((profile) => profile.name === name));
      const problems = unknown.map((name) => `subagents.profiles names the unknown profile "${name}"`);
      const isProfileRequired = names !== undefined;
      if (isProfileRequired && usable.length === 0) return { tools: [], problems };
      return { tools: [agentTool({ ...options, profiles: usable, isProfileRequired })], problems };
    },
  };
}
