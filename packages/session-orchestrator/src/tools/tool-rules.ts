import { isToolAllowed } from "@incipit/schema";
import type { StoredConversation } from "../store/stored.ts";

/** Which tools a conversation may use at this moment, and of which a person is asked before each call. */
export interface ToolRules {
  /** `null`: all of them. */
  readonly allowed: readonly string[] | null;
  readonly asked: readonly string[];
  /** Also where `allowed` names them. */
  readonly denied: readonly string[];
  /** For those who list servers and skills. */
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
