import type { PromptSegment } from "@incipit/service-contract";
import { gatewayPrompts, type GatewayFeature } from "./gateway-prompts.ts";

/** Behind what others add in the same place, and in this order among themselves. */
const orders: Readonly<Record<GatewayFeature, number>> = { heartbeat: 1_001, cron: 1_002, media: 1_003 };

/** Tells models of a feature, in each prompt that is constructed from here on; a conversation keeps what it was told first. */
export function gatewaySegment(feature: GatewayFeature): PromptSegment {
  return { id: `gateway-${feature}`, order: orders[feature], text: () => gatewayPrompts[feature] };
}
