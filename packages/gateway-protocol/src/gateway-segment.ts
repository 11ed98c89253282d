import type { PromptSegment } from "@incipit/service-contract";
import { gatewayPrompts, type GatewayFeature } from "./gateway-prompts.ts";

/** Positions of the segments: after those of other extensions, and in this order. */
const orders: Readonly<Record<GatewayFeature, number>> = { heartbeat: 1_001, cron: 1_002, media: 1_003 };

/** Affects new constructions only. */
export function gatewaySegment(feature: GatewayFeature): PromptSegment {
  return { id: `gateway-${feature}`, order: orders[feature], text: () => gatewayPrompts[feature] };
}
