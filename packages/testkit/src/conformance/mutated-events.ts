import { isJsonObject, parseRequestJson } from "../model-server/wire/request-json.ts";

const odd: readonly unknown[] = [null, 0, -1, 1.5, "", "x", true, 1e308, "\u0000", [], {}, [null], [[]], { a: 1 }];

/** https://en.wikipedia.org/wiki/Linear_congruential_generator */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Removes, repeats or replaces values, fields and events. */
export function mutatedEvents(stream: string, seed: number): string {
  const random = generator(seed);
  const chance = (share: number): boolean => random() < share;
  const mutate = (value: unknown): unknown => {
    if (chance(0.06)) return odd[Math.floor(random() * odd.length)];
    if (Array.isArray(value)) {
      const entries: readonly unknown[] = value.map(mutate);
      return chance(0.05) ? [...entries, ...entries] : chance(0.05) ? entries.slice(1) : entries;
    }
    if (typeof value !== "object" || value === null) return value;
    const fields = Object.entries(value).filter(() => !chance(0.04));
    return Object.fromEntries(fields.map(([key, inner]) => [key, mutate(inner)]));
  };
  return stream
    .split(/\r?\n\r?\n/)
    .flatMap((event) => (chance(0.05) ? [] : chance(0.05) ? [event, event] : [event]))
    .map((event) =>
      event.replace(/data: (.*)$/, (line, data: string) => {
        const json = parseRequestJson(data)?.value;
        return isJsonObject(json) && chance(0.5) ? `data: ${JSON.stringify(mutate(json))}` : line;
      }),
    )
    .join("\n\n");
}
