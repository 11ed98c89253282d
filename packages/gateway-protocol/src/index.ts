export { gatewayPrompts, type GatewayFeature } from "./gateway-prompts.ts";
export { gatewaySegment } from "./gateway-segment.ts";
export { isQuiet } from "./quiet-reply.ts";
export { dayAt, isTimeZone, minuteAt, ownTimeZone } from "./time-zone.ts";
export { codeOf, isPassing } from "./passing.ts";
export { followTurn, type TurnOutcome } from "./follow-turn.ts";
export { waitUnlessAborted } from "./wait.ts";
