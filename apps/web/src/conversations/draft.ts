import { keptPrefixes } from "../session/kept-here.ts";

const prefix = keptPrefixes.message;

export function readDraft(place: string): string {
  return sessionStorage.getItem(`${prefix}${place}`) ?? "";
}

export function keepDraft(place: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(`${prefix}${place}`);
    else sessionStorage.setItem(`${prefix}${place}`, text);
  } catch {
    // Over the quota: only a reload loses it.
  }
}

export function dropDraft(place: string): void {
  sessionStorage.removeItem(`${prefix}${place}`);
}
