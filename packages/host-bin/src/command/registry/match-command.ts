import type { Command } from "./command.ts";
import { literalsOf } from "./option.ts";

export interface Candidate {
  readonly command: Command;
  readonly words: readonly string[];
  /** Count of leading words that fit. */
  readonly fitting: number;
}

export function placeAt({ places: all }: Command, index: number): string | undefined {
  const places = all.filter((place) => place !== "--");
  const repeated = places.findIndex((place) => place.includes("…"));
  return repeated !== -1 && index > repeated ? places[repeated] : places[index];
}

export function takes(place: string | undefined, word: string): boolean {
  if (place === undefined) return false;
  return /[A-Z]/.test(place) || alternativesOf(place).includes(word);
}

/** Returns the alternatives of a place in a usage, which are its lower-case words. */
export function alternativesOf(place: string): readonly string[] {
  return literalsOf(place.replaceAll(/[[\]]/g, ""));
}

export function missingPlace({ command, words }: Candidate): string | undefined {
  return command.places.filter((place) => !place.startsWith("[") && place !== "--")[words.length];
}

/** `answer ID decline` is not the question "decline". */
export function literalCount({ command, words }: Candidate): number {
  return words.filter((word, index) => alternativesOf(placeAt(command, index) ?? "").includes(word)).length;
}
