import { routes, pagesOf } from "@incipit/transport-contract";
import { printer } from "../output/printer.ts";
import type { Call } from "../registry/command.ts";
import { clippedLine } from "@incipit/schema/text";
import type { Heartbeat, HeartbeatWake } from "@incipit/schema";
import { minuteOf } from "../output/minute-of.ts";

export async function showHeartbeat(call: Call): Promise<void> {
  const { show, note } = printer(call);
  const { heartbeat } = await (await call.host.client()).call(routes.getHeartbeat);
  show(heartbeat, heartbeatLine);
  if (!heartbeat.enabled) note("To turn it on, write [heartbeat] enabled = true into incipit.toml");
}

export async function wakeHeartbeat(call: Call): Promise<void> {
  const { show, note } = printer(call);
  show((await (await call.host.client()).call(routes.wakeHeartbeat)).wake, wakeLine);
  note("Result: incipit heartbeat history");
}

export async function heartbeatHistory(call: Call): Promise<void> {
  const { show, note } = printer(call);
  const client = await call.host.client();
  let count = 0;
  for await (const { wakes } of pagesOf((cursor) =>
    client.call(routes.listHeartbeatWakes, { query: { cursor } }),
  )) {
    for (const wake of wakes) show(wake, wakeLine);
    count += wakes.length;
  }
  if (count === 0) note("No wake yet; to wake it now: incipit heartbeat wake");
}

const maxReply = 80;

function heartbeatLine({ enabled, nextAt, lastWake, tokensToday, usdToday, unpricedToday }: Heartbeat): string {
  if (!enabled) return "off";
  const calls = unpricedToday === 1 ? "call" : "calls";
  const unpriced = unpricedToday === 0 ? "" : `, ${unpricedToday} ${calls} without a price`;
  return [
    nextAt === null ? "no next time" : `next ${minuteOf(nextAt)}`,
    lastWake === null ? "has woken nobody yet" : `last ${minuteOf(lastWake.dueAt)} ${outcomeOf(lastWake)}`,
    `today ${tokensToday.toLocaleString("en-US")} tokens, $${usdToday.toFixed(2)}${unpriced}`,
  ].join("  ");
}

function wakeLine(wake: HeartbeatWake): string {
  const { dueAt, tokens, conversationId, turnId, reply, error } = wake;
  const cells = [
    minuteOf(dueAt),
    outcomeOf(wake).padEnd(15),
    `${tokens.toLocaleString("en-US")} tokens`.padStart(14),
    conversationId === null ? "" : `conversation ${conversationId}`,
    turnId === null ? "" : `turn ${turnId}`,
    ...[error?.message ?? "", reply ?? ""].map((text) => clippedLine(text, { maxCharacters: maxReply })),
  ];
  return cells.filter((cell) => cell !== "").join("  ");
}

function outcomeOf({ outcome, repeated }: HeartbeatWake): string {
  return `${outcome ?? "under way"}${repeated ? ", repeated" : ""}`;
}
