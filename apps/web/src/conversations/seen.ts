import type { Conversation } from "@incipit/schema";
import { useEffect, useState } from "preact/hooks";
import { keep, keptPrefixes, useKeptChanges } from "../session/kept-here.ts";

const prefix = keptPrefixes.seen;
/** Key of the time before which all events count as read. */
const sinceKey = "seen-since";
const changeEvent = "incipit-seen";

/** If the browser's storage is full, losing a mark is harmless. */
export function markSeen(id: string, seq: number): void {
  if (seenSeq(id) >= seq) return;
  keep(localStorage, prefix + id, String(seq));
  dispatchEvent(new Event(changeEvent));
}

export function forgetSeen(id: string): void {
  localStorage.removeItem(prefix + id);
}

export function isUnread({ id, lastSeq, updatedAt }: Conversation): boolean {
  const seen = localStorage.getItem(prefix + id);
  return seen === null ? updatedAt > since() && lastSeq > 0 : lastSeq > seenSeq(id);
}

/** Changes with each read mark, also from other tabs. */
export function useSeen(): number {
  const [count, setCount] = useState(0);
  useEffect(() => void since(), []);
  useKeptChanges(prefix, changeEvent, () => setCount((before) => before + 1));
  return count;
}

function seenSeq(id: string): number {
  return Number(localStorage.getItem(prefix + id) ?? 0);
}

function since(): string {
  const known = localStorage.getItem(sinceKey);
  if (known !== null) return known;
  const now = new Date().toISOString();
  keep(localStorage, sinceKey, now);
  return now;
}
