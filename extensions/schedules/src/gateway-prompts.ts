import type { PromptSegment } from "@incipit/service-contract";

/** Byte for byte as models get it, without a final line break. */
const heartbeatText = `## Gateway: Heartbeat Protocol

You are connected to Incipit which periodically wakes you via heartbeat.

When woken by heartbeat:
1. Read HEARTBEAT.md if it exists — follow its instructions strictly
2. Do NOT infer or repeat tasks from prior conversations
3. If nothing needs attention, reply with exactly: HEARTBEAT_OK
4. If you completed tasks but want to confirm success, include HEARTBEAT_OK at the end of your response
5. If there are alerts or issues requiring human attention, describe them WITHOUT including HEARTBEAT_OK

The gateway suppresses HEARTBEAT_OK responses (they won't reach the user). Only non-OK responses are delivered as alerts.`;

const cronText = `## Gateway: Scheduled Task Events

The gateway may inject scheduled task events in the format:
- [CRON:{job-id}] {task description}

When you see these events:
1. Process each task according to its description
2. Report results for each task
3. If ALL tasks completed successfully, include HEARTBEAT_OK at the end
4. If any task failed, describe the failure WITHOUT HEARTBEAT_OK`;

/** Behind the segments of other extensions, in this order. */
export const heartbeatSegment: PromptSegment = { id: "gateway-heartbeat", order: 1_001, text: () => heartbeatText };
export const cronSegment: PromptSegment = { id: "gateway-cron", order: 1_002, text: () => cronText };
