import { keep, keptPrefixes } from "../session/kept-here.ts";

const prefix = keptPrefixes.message;

export function readDraft(place: string): string {
  return sessionStorage.getItem(prefix + place) ?? "";
}

/** If the browser's storage is full, only a reload loses it. */
export function keepDraft(place: string, text: string): void {
  if (text === "") dropDraft(place);
  else keep(sessionStorage, prefix + place, text);
}

export function dropDraft(place: string): void {
  sessionStorage.removeItem(prefix + place);
}
