import type { PromptContext } from "@incipit/service-contract";
import type { StoredConversation } from "../store/stored.ts";

/** Whose prompt a conversation has, for the prompt builder: its profile, what it keeps of that, and what it may use. */
export function promptAgent({
  profile,
  skills,
  mcpServers,
  allowedTools: allowed,
  deniedTools: denied = [],
  importedAt,
}: Pick<
  StoredConversation,
  "profile" | "skills" | "mcpServers" | "allowedTools" | "deniedTools" | "importedAt"
>): Pick<PromptContext, "profile" | "skills" | "mcpServers" | "tools" | "isImported"> {
  const uses = { mcpServers: mcpServers ?? null, tools: { allowed, denied }, isImported: importedAt !== null };
  return profile === null ? uses : { profile, skills: skills ?? null, ...uses };
}
