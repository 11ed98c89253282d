import { isToolAllowed } from "@incipit/schema";
import type { StoredConversation } from "../store/stored.ts";

export interface ToolRules {
  readonly allowed: readonly string[] | null;
  readonly asked: readonly string[];
  readonly denied: readonly string[];
  readonly given: Pick<StoredConversation, "mcpServers" | "skills">;
}

export interface ToolsQuery {
  readonly conversationId: string;
  readonly cwd: string;
  readonly isImported: boolean;
  readonly rules: ToolRules;
}

export function toolsQuery({
  id: conversationId,
  cwd,
  importedAt,
  allowedTools: allowed,
  askedTools: asked = [],
  deniedTools: denied = [],
  mcpServers,
  skills,
}: StoredConversation): ToolsQuery {
  const given = {
    ...(mcpServers === undefined ? {} : { mcpServers }),
    ...(skills === undefined ? {} : { skills }),
  };
  return { conversationId, cwd, isImported: importedAt !== null, rules: { allowed, asked, denied, given } };
}

export function mayUse({ allowed, denied }: ToolRules, name: string): boolean {
  return isToolAllowed(allowed, name) && !isToolAllowed(denied, name);
}
