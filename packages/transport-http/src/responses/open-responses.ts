import type { Host } from "@incipit/kernel";
import { conversationHoldsHandle } from "../client-conversations/conversation-locks.ts";
import { HeldConversations } from "../client-conversations/held-conversations.ts";
import type { Services } from "../context/services.ts";
import { backgroundHandoffHandle } from "./background-handoff.ts";
import { BackgroundResponses } from "./background-responses.ts";
import type { ResponsesOptions } from "./response-routes.ts";

export function openResponses(host: Host, services: Services): ResponsesOptions {
  const background = new BackgroundResponses(services, host.predecessor(backgroundHandoffHandle));
  host.defer("responses in the background", () => background.close());
  host.provideService(backgroundHandoffHandle, background);
  const conversations = new HeldConversations(services, host.predecessor(conversationHoldsHandle));
  host.provideService(conversationHoldsHandle, conversations);
  return { background, conversations };
}
