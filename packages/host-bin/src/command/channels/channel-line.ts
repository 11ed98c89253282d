import { clippedLine, escapeHiddenLine } from "@incipit/schema/text";
import type { ChannelMessageView, ChannelPersonView, ChannelView } from "@incipit/schema";
import { filled } from "../output/fitted.ts";
import { minuteOf } from "../output/minute-of.ts";

const maxText = 60;
const maxWhy = 120;

/** `telegram  up  since 2026-11-23 08:00 UTC  @bot  (2 wait, 1 unknown)` */
export function channelLine({ id, state, since, account, why, waiting, unknown, failed }: ChannelView): string {
  const remarks = [
    ...(waiting === 0 ? [] : [`${waiting} wait`]),
    ...(unknown === 0 ? [] : [`${unknown} unknown`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ];
  const cells = [
    filled(escapeHiddenLine(id), 16),
    state.padEnd(8),
    state === "off" ? "" : `since ${minuteOf(since)}`,
    account === null ? "" : escapeHiddenLine(account),
    why === null ? "" : clippedLine(why, { maxCharacters: maxWhy }),
    remarks.length === 0 ? "" : `(${remarks.join(", ")})`,
  ];
  return cells.filter((cell) => cell !== "").join("  ");
}

export function messageLine(message: ChannelMessageView): string {
  const { id, createdAt, state, chat, text, why, kind, retriedAs } = message;
  const cells = [
    id,
    minuteOf(createdAt),
    state.padEnd(7),
    filled(escapeHiddenLine(chat), 12),
    `${kind === "file" ? "file " : ""}${clippedLine(text, { maxCharacters: maxText })}`,
    why === null ? "" : `(${clippedLine(why, { maxCharacters: maxWhy })})`,
    retriedAs === null ? "" : `sent again as ${retriedAs}`,
  ];
  return cells.filter((cell) => cell !== "").join("  ");
}

export function personLine({ id, name, source, pairedAt }: ChannelPersonView): string {
  const since = pairedAt === null ? "configured" : `let in ${minuteOf(pairedAt)}`;
  return [
    filled(escapeHiddenLine(id), 16),
    filled(escapeHiddenLine(name ?? "-"), 20),
    source === "configuration" ? "configured" : since,
  ].join("  ");
}
