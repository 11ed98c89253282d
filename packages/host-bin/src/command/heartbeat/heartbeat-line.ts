import { clippedLine } from "@incipit/schema/text";
import type { Heartbeat, HeartbeatWake } from "@incipit/schema";
import { minuteOf } from "../output/minute-of.ts";

const maxReply = 80;

export function heartbeatLine({
  enabled,
  nextAt,
  lastWake,
  tokensToday,
  usdToday,
  unpricedToday,
}: Heartbeat): string {
  if (!enabled) return "off";
  const calls = unpricedToday === 1 ? "call" : "calls";
  const unpriced = unpricedToday === 0 ? "" : `, ${unpricedToday} ${calls} without a price`;
  return [
    nextAt === null ? "no next time" : `next ${minuteOf(nextAt)}`,
    lastWake === null ? "has woken nobody yet" : `last ${minuteOf(lastWake.dueAt)} ${outcomeOf(lastWake)}`,
    `today ${tokensToday.toLocaleString("en-US")} tokens, $${usdToday.toFixed(2)}${unpriced}`,
  ].join("  ");
}

export function wakeLine(wake: HeartbeatWake): string {
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
