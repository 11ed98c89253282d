export { gatewayPrompts, type GatewayFeature } from "./gateway-prompts.ts";
export { gatewaySegment } from "./gateway-segment.ts";
export { isQuiet } from "./quiet-reply.ts";
