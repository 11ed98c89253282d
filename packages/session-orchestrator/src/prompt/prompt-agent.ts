import type { PromptContext } from "@incipit/service-contract";
import type { StoredConversation } from "../store/stored.ts";

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
  const imported = importedAt === null ? {} : { isImported: true };
  const tools = { allowed, denied };
  if (profile !== null)
    return { profile, skills: skills ?? null, mcpServers: mcpServers ?? null, tools, ...imported };
  return {
    ...(mcpServers === undefined ? {} : { mcpServers }),
    ...(allowed === null && denied.length === 0 ? {} : { tools }),
    ...imported,
  };
}
