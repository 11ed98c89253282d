import type { Conversation } from "@incipit/schema";
import { shownLine } from "@incipit/host/text";
import { minuteOf } from "../output/minute-of.ts";

/** A conversation in one line, such as `ID  2026-11-21 10:00 UTC  Mend the parser  (running)`. */
export function conversationLine(conversation: Conversation): string {
  const { id, updatedAt, title, status, archived, importedAt } = conversation;
  const remarks = [
    ...(status === "idle" ? [] : [status]),
    ...(archived ? ["archived"] : []),
    ...(importedAt === null ? [] : ["imported"]),
  ];
  const remark = remarks.length === 0 ? "" : `  (${remarks.join(", ")})`;
  return `${id}  ${minuteOf(updatedAt)}  ${shownLine(title ?? "-")}${remark}`;
}
