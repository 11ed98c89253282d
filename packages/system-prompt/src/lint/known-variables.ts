import type { SystemPromptVariable } from "@incipit/schema";
import { closest, distance } from "fastest-levenshtein";
import { builtInVariables } from "../variables/built-in-variables.ts";

/** A longer name is not a typo. */
const maxCompared = 100;

export class KnownVariables {
  readonly #names = new Map<string, Set<string>>();
  readonly #dynamic = new Set<string>();
  /** A template often repeats a typo. */
  readonly #nearestTypes = new Map<string, string | undefined>();

  constructor(catalog: readonly SystemPromptVariable[]) {
    for (const { type, name, dynamic = false } of catalog) {
      const names = this.#names.get(type) ?? new Set<string>();
      this.#names.set(type, names);
      if (dynamic) this.#dynamic.add(type);
      else names.add(name);
    }
  }

  get types(): readonly string[] {
    return [...this.#names.keys()];
  }

  hasType(type: string): boolean {
    return this.#names.has(type);
  }

  /** Extensions cannot add unlisted names to built-in types. */
  isBuiltIn(type: string): boolean {
    return builtInVariables.has(type);
  }

  has(type: string, name: string): boolean {
    return this.#dynamic.has(type) || this.#names.get(type)?.has(name) === true;
  }

  namesOf(type: string): readonly string[] {
    return [...(this.#names.get(type) ?? [])];
  }

  nearest(type: string, name: string): string | undefined {
    const plain = name.trim().slice(0, maxCompared);
    const meantType = this.hasType(type) ? type : this.nearestType(type);
    if (meantType !== undefined) {
      if (this.#dynamic.has(meantType)) return `${meantType}:${name.trim()}`;
      const near = nearestOf(plain, this.namesOf(meantType));
      if (near !== undefined) return `${meantType}:${near}`;
    }
    const elsewhere = this.types.find((other) => this.#names.get(other)?.has(plain) === true);
    return elsewhere === undefined ? undefined : `${elsewhere}:${plain}`;
  }

  nearestType(type: string): string | undefined {
    if (this.#nearestTypes.has(type)) return this.#nearestTypes.get(type);
    const nearest = nearestOf(type.slice(0, maxCompared), this.types, type.length <= 4 ? 1 : 2);
    this.#nearestTypes.set(type, nearest);
    return nearest;
  }
}

function nearestOf(
  word: string,
  known: readonly string[],
  maxDistance = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  if (known.length === 0) return undefined;
  const lower = word.toLowerCase();
  const nearest = closest(lower, known);
  if (distance(lower, nearest) <= maxDistance) return nearest;
  return known.find((each) => isSwapped(lower, each));
}

function isSwapped(word: string, meant: string): boolean {
  let at = 0;
  while (at < word.length && word[at] === meant[at]) at += 1;
  const swapped = word.slice(at + 1, at + 2) + word.slice(at, at + 1);
  return at < word.length && word.slice(0, at) + swapped + word.slice(at + 2) === meant;
}
