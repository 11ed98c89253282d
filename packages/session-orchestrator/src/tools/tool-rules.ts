import { isToolAllowed } from "@incipit/schema";
import type { StoredConversation } from "../store/stored.ts";

export interface ToolRules {
  readonly allowed: readonly string[] | null;
  readonly asked: readonly string[];
  readonly denied: readonly string[];
  readonly given: Pick<StoredConversation, "mcpServers" | "skills">;
}

export function toolRulesOf({
  allowedTools: allowed,
  askedTools: asked = [],
  deniedTools: denied = [],
  mcpServers,
  skills,
}: StoredConversation): ToolRules {
  const given = {
    ...(mcpServers === undefined ? {} : { mcpServers }),
    ...(skills === undefined ? {} : { skills }),
  };
  return { allowed, asked, denied, given };
}

export function mayUse({ allowed, denied }: ToolRules, name: string): boolean {
  return isToolAllowed(allowed, name) && !isToolAllowed(denied, name);
}
