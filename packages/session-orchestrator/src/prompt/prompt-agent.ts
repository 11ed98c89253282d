import type { PromptContext } from "@incipit/service-contract";
import type { StoredConversation } from "../store/stored.ts";

/** Whose prompt a conversation has, for the prompt builder: its profile, and what it keeps of that. */
export function promptAgent({
  profile,
  skills,
}: Pick<StoredConversation, "profile" | "skills">): Pick<PromptContext, "profile" | "skills"> {
  return profile === null ? {} : { profile, skills: skills ?? null };
}
