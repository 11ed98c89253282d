import { routes } from "@incipit/transport-contract";
import { printer } from "../output/printer.ts";
import type { Call } from "../registry/command.ts";
import { heartbeatLine, wakeLine } from "./heartbeat-line.ts";

export async function showHeartbeat(call: Call): Promise<number> {
  const { show, note } = printer(call);
  const { heartbeat } = await (await call.host.client()).call(routes.getHeartbeat);
  show(heartbeat, heartbeatLine);
  if (!heartbeat.enabled) note("To turn it on, write [heartbeat] enabled = true into incipit.toml");
  return 0;
}

export async function wakeHeartbeat(call: Call): Promise<number> {
  const { show, note } = printer(call);
  show((await (await call.host.client()).call(routes.wakeHeartbeat)).wake, wakeLine);
  note("Result: incipit heartbeat history");
  return 0;
}

export async function heartbeatHistory(call: Call): Promise<number> {
  const { show, note } = printer(call);
  const client = await call.host.client();
  let count = 0;
  for (let cursor: string | undefined; ;) {
    const page = await client.call(routes.listHeartbeatWakes, { query: cursor === undefined ? {} : { cursor } });
    for (const wake of page.wakes) show(wake, wakeLine);
    count += page.wakes.length;
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  if (count === 0) note("No wake yet; to wake it now: incipit heartbeat wake");
  return 0;
}
