import type { DeferredTool } from "../store/deferred-tools.ts";
import { wordsOf } from "./words-of.ts";

/** How much a word counts where it stands. */
const weights = { name: 4, server: 2, description: 1, arguments: 1 } as const;

/** What of each text is searched, in UTF-16 units. */
const maxTextLength = 2_000;
const maxQueryWords = 64;

/** The usual constants of BM25: how soon a word that comes again counts no more, and how much a long text counts less. */
const saturation = 1.2;
const lengthShare = 0.75;

/** What a word counts that only begins as one that is asked for, or the other way round, as plurals do. */
const partCounts = 0.5;
const minPartLength = 3;
const maxEndingLength = 3;

interface Indexed {
  readonly tool: DeferredTool;
  /** Words, each counted as `weights` says. */
  readonly length: number;
}

/**
 * Finds tools by words: Okapi BM25 over name, server, description and names of arguments. The same list and the same words give
 * the same order on every machine; what counts the same comes in the order of names.
 */
export class ToolIndex {
  readonly tools: readonly DeferredTool[];
  readonly #byName: ReadonlyMap<string, DeferredTool>;
  readonly #indexed: readonly Indexed[];
  /** For each word the places of its tools, each with how much it counts there. */
  readonly #places = new Map<string, Map<number, number>>();
  readonly #meanLength: number;

  /** @param tools By name. */
  constructor(tools: readonly DeferredTool[]) {
    this.tools = tools;
    this.#byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
    this.#indexed = tools.map((tool, place) => ({ tool, length: this.#add(tool, place) }));
    const total = this.#indexed.reduce((sum, { length }) => sum + length, 0);
    this.#meanLength = total / Math.max(1, tools.length);
  }

  find(name: string): DeferredTool | undefined {
    return this.#byName.get(name);
  }

  /** Those that fit at all, best first: a tool of just that name before the others, then those with most of the words. */
  search(query: string): readonly DeferredTool[] {
    const exact = this.find(query.trim());
    const words = [...new Set(wordsOf(query, { maxLength: maxTextLength }))].slice(0, maxQueryWords);
    const scores = new Map<number, number>();
    for (const word of words)
      for (const [place, score] of this.#scoresOf(word)) scores.set(place, (scores.get(place) ?? 0) + score);
    const found = [...scores]
      .toSorted(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b)
      .flatMap(([place]) => this.#indexed[place]?.tool ?? []);
    return exact === undefined ? found : [exact, ...found.filter((tool) => tool !== exact)];
  }

  #add({ definition, server }: DeferredTool, place: number): number {
    const { name, description, inputSchema } = definition;
    const { properties } = inputSchema;
    const fields = [
      [name, weights.name],
      [server, weights.server],
      [description, weights.description],
      [isObject(properties) ? Object.keys(properties).join(" ") : "", weights.arguments],
    ] as const;
    let length = 0;
    for (const [text, weight] of fields) {
      for (const word of wordsOf(text, { maxLength: maxTextLength })) {
        const places = this.#places.get(word) ?? new Map<number, number>();
        this.#places.set(word, places);
        places.set(place, (places.get(place) ?? 0) + weight);
        length += weight;
      }
    }
    return length;
  }

  /** What a word counts in each tool that has it, or one that is nearly it. */
  #scoresOf(asked: string): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const [word, places] of this.#places) {
      const share = word === asked ? 1 : isPart(word, asked) ? partCounts : 0;
      if (share === 0) continue;
      for (const [place, count] of places) counts.set(place, (counts.get(place) ?? 0) + share * count);
    }
    const all = this.tools.length;
    const rarity = Math.log(1 + (all - counts.size + 0.5) / (counts.size + 0.5));
    for (const [place, count] of counts) {
      const length = this.#indexed[place]?.length ?? 0;
      const norm = saturation * (1 - lengthShare + (lengthShare * length) / this.#meanLength);
      counts.set(place, (rarity * count * (saturation + 1)) / (count + norm));
    }
    return counts;
  }
}

/** `issue` for `issues` and for `issueId`, and the other way round; a short word is only itself. */
function isPart(word: string, asked: string): boolean {
  if (word.length < minPartLength || asked.length < minPartLength) return false;
  if (word.startsWith(asked)) return true;
  return asked.startsWith(word) && asked.length - word.length <= maxEndingLength && word.length > maxEndingLength;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
