import type { Profile } from "@incipit/service-contract";
import type { StoredConversation } from "../store/stored.ts";

/** What a conversation keeps of its profile beside its name: what it says of tools and settings at this moment. */
export function profileRules(
  profile: Profile | undefined,
): Pick<StoredConversation, "askedTools" | "deniedTools" | "settings"> {
  const { asked = [], denied = [] } = profile?.tools ?? {};
  const { settings = {} } = profile ?? {};
  return {
    ...(asked.length === 0 ? {} : { askedTools: [...asked] }),
    ...(denied.length === 0 ? {} : { deniedTools: [...denied] }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}
