import type { Conversation } from "@incipit/schema";
import { escapeHiddenLine } from "@incipit/schema/text";
import { minuteOf } from "../output/minute-of.ts";

/** Formats a conversation as `ID  2026-11-21 10:00 UTC  Mend the parser  (running)`. */
export function conversationLine(conversation: Conversation): string {
  const { id, updatedAt, title } = conversation;
  return `${id}  ${minuteOf(updatedAt)}  ${escapeHiddenLine(title ?? "-")}${remarksOf(conversation)}`;
}

export function remarksOf({ status, archived, importedAt }: Conversation): string {
  const remarks = [
    ...(status === "idle" ? [] : [status]),
    ...(archived ? ["archived"] : []),
    ...(importedAt === null ? [] : ["imported"]),
  ];
  return remarks.length === 0 ? "" : `  (${remarks.join(", ")})`;
}
