import { isObject, type ToolDefinition } from "@incipit/schema";

const weights = { name: 4, server: 2, description: 1, arguments: 1 } as const;

/** Untrusted texts must not consume minutes or gigabytes. */
const maxWords = 400_000;
const maxWordsOfText = 200;
const minWordsOfText = 20;
const maxWordsOfName = 20;
const maxQueryWords = 32;
const toolsAtOnce = 500;

/** Usual constants of the BM25 ranking. */
const saturation = 1.2;
const lengthShare = 0.75;

const partCounts = 0.5;
const minPartLength = 3;
/** Matches `issues` and `listing` with `issue` and `list`. */
const maxEndingLength = 3;
const minStemLength = 4;

interface Indexed {
  readonly tool: DeferredTool;
  readonly length: number;
}

/**
 * Okapi BM25 search over name, server, description and argument names. Deterministic across machines; equal scores are
 * sorted by name.
 */
export class ToolIndex {
  readonly tools: readonly DeferredTool[];
  readonly #byName: ReadonlyMap<string, DeferredTool>;
  readonly #indexed: Indexed[] = [];
  /** For each word, alternating tool indexes and weights. */
  readonly #places = new Map<string, number[]>();
  #words: readonly string[] = [];
  #meanLength = 0;

  private constructor(tools: readonly DeferredTool[]) {
    this.tools = tools;
    this.#byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  }

  /** Yields to the event loop while indexing. `tools` must be sorted by name. */
  static async of(tools: readonly DeferredTool[]): Promise<ToolIndex> {
    const index = new ToolIndex(tools);
    await index.#read();
    return index;
  }

  async #read(): Promise<void> {
    const share = Math.floor(maxWords / Math.max(1, this.tools.length));
    const max = Math.min(maxWordsOfText, Math.max(minWordsOfText, share));
    for (const [place, tool] of this.tools.entries()) {
      if (place > 0 && place % toolsAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
      this.#indexed.push({ tool, length: this.#add(tool, { place, max }) });
    }
    this.#words = [...this.#places.keys()].toSorted();
    const total = this.#indexed.reduce((sum, { length }) => sum + length, 0);
    this.#meanLength = total / Math.max(1, this.tools.length);
  }

  find(name: string): DeferredTool | undefined {
    return this.#byName.get(name);
  }

  search(query: string): readonly DeferredTool[] {
    const exact = this.find(query.trim());
    const words = [...new Set(wordsOf(query, { max: maxQueryWords }))];
    const scores = new Map<number, number>();
    for (const word of words)
      for (const [place, score] of this.#scoresOf(word)) scores.set(place, (scores.get(place) ?? 0) + score);
    const found = [...scores]
      .toSorted(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b)
      .flatMap(([place]) => this.#indexed[place]?.tool ?? []);
    return exact === undefined ? found : [exact, ...found.filter((tool) => tool !== exact)];
  }

  #add(
    { definition, server }: DeferredTool,
    { place, max }: { readonly place: number; readonly max: number },
  ): number {
    const { name, description, inputSchema } = definition;
    const fields = [
      { text: name, weight: weights.name, max: maxWordsOfName },
      { text: server, weight: weights.server, max: maxWordsOfName },
      { text: description, weight: weights.description, max },
      { text: argumentNames(inputSchema).join(" "), weight: weights.arguments, max },
    ];
    const counts = new Map<string, number>();
    let length = 0;
    for (const field of fields) {
      for (const word of wordsOf(field.text, field)) {
        counts.set(word, (counts.get(word) ?? 0) + field.weight);
        length += field.weight;
      }
    }
    for (const [word, count] of counts) {
      const places = this.#places.get(word);
      if (places === undefined) this.#places.set(word, [place, count]);
      else places.push(place, count);
    }
    return length;
  }

  #scoresOf(asked: string): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    const take = (word: string, share: number): void => {
      const places = this.#places.get(word) ?? [];
      for (let index = 0; index < places.length; index += 2) {
        const [place = 0, count = 0] = places.slice(index, index + 2);
        counts.set(place, (counts.get(place) ?? 0) + share * count);
      }
    };
    take(asked, 1);
    for (const word of this.#nearlyIs(asked)) take(word, partCounts);
    const all = this.tools.length;
    const rarity = Math.log(1 + (all - counts.size + 0.5) / (counts.size + 0.5));
    for (const [place, count] of counts) {
      const length = this.#indexed[place]?.length ?? 0;
      const norm = saturation * (1 - lengthShare + (lengthShare * length) / this.#meanLength);
      counts.set(place, (rarity * count * (saturation + 1)) / (count + norm));
    }
    return counts;
  }

  *#nearlyIs(asked: string): Generator<string> {
    for (
      let length = asked.length - 1;
      length >= Math.max(minStemLength, asked.length - maxEndingLength);
      length -= 1
    )
      yield asked.slice(0, length);
    if (asked.length < minPartLength && !(asked.length === 1 && isWithoutSpaces(asked))) return;
    for (let index = this.#firstAfter(asked); this.#words[index]?.startsWith(asked) === true; index += 1)
      yield this.#words[index] ?? "";
  }

  #firstAfter(asked: string): number {
    let [low, high] = [0, this.#words.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#words[middle] ?? "") <= asked) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Per tool, because schemas are untrusted. */
const maxSchemas = 500;

/** Keywords with subschemas by name: https://json-schema.org/draft/2020-12/json-schema-core#section-10 */
const maps = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const singles = new Set("items prefixItems additionalProperties allOf anyOf oneOf if then else".split(" "));

function argumentNames(schema: unknown): readonly string[] {
  const names = new Set<string>();
  const waiting = isObject(schema) ? [schema] : [];
  for (let looked = 0; looked < maxSchemas && looked < waiting.length; looked += 1) {
    for (const [keyword, value] of Object.entries(waiting[looked] ?? {})) {
      const inner: readonly unknown[] = maps.has(keyword)
        ? Object.values(value ?? {})
        : singles.has(keyword)
          ? [value].flat()
          : [];
      // References need no special handling: their targets are visited in place.
      waiting.push(...inner.filter(isObject));
      if (keyword === "properties") for (const name of Object.keys(value ?? {})) names.add(name);
    }
  }
  return [...names];
}

export interface DeferredTool {
  readonly definition: ToolDefinition;
  readonly server: string;
}

const seam = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu;
const word = /[\p{L}\p{N}]+/gu;
const maxLength = 40;

/** Thai, Lao, Myanmar, Khmer, Japanese and Chinese. Ranges, because script properties are twenty times as slow. */
const withoutSpaces =
  "\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3005-\\u3007\\u3040-\\u30FF\\u31F0-\\u31FF\\u3400-\\u9FFF";
const hasWithoutSpaces = new RegExp(`[${withoutSpaces}]`);
const runs = new RegExp(`[${withoutSpaces}]+|[^${withoutSpaces}]+`, "g");

function isWithoutSpaces(text: string): boolean {
  return hasWithoutSpaces.test(text);
}

/**
 * Ignores case and accents; splits camel and snake case. In scripts without spaces, each pair of adjacent letters is
 * a word, because dictionaries differ between systems.
 */
function wordsOf(text: string, { max }: { readonly max: number }): readonly string[] {
  const start = text.slice(0, max * maxLength).replaceAll(seam, " ");
  const hasRuns = isWithoutSpaces(start);
  const words: string[] = [];
  // Remove marks before normalization, which sorts them in quadratic time.
  for (const [found] of withoutMarks(start).normalize("NFKD").matchAll(word)) {
    if (words.length >= max) break;
    if (!hasRuns) words.push(withoutMarks(found.slice(0, maxLength)).toLowerCase());
    else for (const [run] of found.matchAll(runs)) words.push(...wordsOfRun(withoutMarks(run).toLowerCase()));
  }
  return words.slice(0, max);
}

function withoutMarks(text: string): string {
  return text.replaceAll(/\p{M}+/gu, "");
}

function wordsOfRun(run: string): readonly string[] {
  if (!isWithoutSpaces(run)) return [run.slice(0, maxLength)];
  const letters = Array.from(run);
  return letters.length < 2 ? letters : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
