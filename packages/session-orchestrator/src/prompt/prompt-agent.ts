import type { PromptContext } from "@incipit/service-contract";
import type { StoredConversation } from "../store/stored.ts";

/** Whose prompt a conversation has, for the prompt builder: its profile, what it keeps of that, and what it may use. */
export function promptAgent({
  profile,
  skills,
  mcpServers,
  allowedTools: allowed,
  deniedTools: denied = [],
}: Pick<StoredConversation, "profile" | "skills" | "mcpServers" | "allowedTools" | "deniedTools">): Pick<
  PromptContext,
  "profile" | "skills" | "mcpServers" | "tools"
> {
  const uses = { mcpServers: mcpServers ?? null, tools: { allowed, denied } };
  return profile === null ? uses : { profile, skills: skills ?? null, ...uses };
}
