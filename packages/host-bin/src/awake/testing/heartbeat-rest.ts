import type { HeartbeatService } from "@incipit/service-contract";

export async function isHeartbeatAtRest(heartbeat: HeartbeatService, nowMs: number): Promise<boolean> {
  const { enabled, lastWake, nextAt } = await heartbeat.get();
  const isDue = nextAt !== null && Date.parse(nextAt) <= nowMs;
  return !enabled || (!isDue && (lastWake === null || lastWake.outcome !== null));
}

export async function heartbeatBegun(heartbeat: HeartbeatService): Promise<void> {
  for (;;) {
    const { enabled, nextAt } = await heartbeat.get();
    if (!enabled || nextAt !== null) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
