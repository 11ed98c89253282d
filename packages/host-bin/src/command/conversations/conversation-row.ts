import type { Conversation } from "@incipit/schema";
import { escapeHiddenLine } from "@incipit/schema/text";
import { fitted, padded } from "../output/fitted.ts";
import { localMinute } from "../output/minute-of.ts";
import { shortId } from "../output/short-id.ts";
import { remarksOf } from "./conversation-line.ts";

const wideFrom = 120;
const folderWidth = 28;
const yearFrom = 64;

export function conversationRow(conversation: Conversation, width: number): string {
  const { id, updatedAt, title, cwd } = conversation;
  const isWide = width >= wideFrom;
  const when = localMinute(updatedAt);
  const before = [
    isWide ? id : shortId(id),
    width < yearFrom ? when.slice("2026-".length) : when,
    ...(isWide ? [padded(lastOf(escapeHiddenLine(cwd), folderWidth), folderWidth)] : []),
  ].join("  ");
  const remarks = remarksOf(conversation);
  const room = Math.max(8, width - Bun.stringWidth(before) - 2 - Bun.stringWidth(remarks));
  return `${before}  ${fitted(escapeHiddenLine(title ?? "-"), room)}${remarks}`;
}

function lastOf(path: string, width: number): string {
  if (Bun.stringWidth(path) <= width) return path;
  const names = path.split("/");
  let kept = "";
  for (const name of names.toReversed()) {
    if (Bun.stringWidth(`…/${name}${kept}`) > width) break;
    kept = `/${name}${kept}`;
  }
  return kept === "" ? fitted(names.at(-1) ?? path, width) : `…${kept}`;
}
