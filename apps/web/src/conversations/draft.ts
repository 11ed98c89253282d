import { keptPrefixes } from "../session/kept-here.ts";

const prefix = keptPrefixes.message;

/** What was typed for a place and not sent, over a reload of this tab. */
export function readDraft(place: string): string {
  return sessionStorage.getItem(`${prefix}${place}`) ?? "";
}

export function keepDraft(place: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(`${prefix}${place}`);
    else sessionStorage.setItem(`${prefix}${place}`, text);
  } catch {
    // It is longer than a browser keeps: a reload loses it, and nothing else does.
  }
}

export function dropDraft(place: string): void {
  sessionStorage.removeItem(`${prefix}${place}`);
}
