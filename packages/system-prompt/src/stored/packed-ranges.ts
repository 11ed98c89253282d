import { lazySchema, type Explain } from "@incipit/schema";
import * as z from "zod";
import { storedFactsSchema } from "./explain-facts.ts";

type Range = Explain["ranges"][number];

const numbersOfRange = 8;

/** Numbers take a fraction of the space of objects. */
export const packedRangesSchema = lazySchema(() =>
  z.object({
    /** `numbers` refers to them: origins, names, tiers and extensions. */
    words: z.array(z.string()),
    /** Per range: length, origin, name, tier, extension, branch, start and end in the template; -1 for `null`. */
    numbers: z.array(z.int()),
  }),
);
type PackedRanges = z.infer<typeof packedRangesSchema>;

export function packRanges(ranges: readonly Range[]): PackedRanges {
  const indexes = new Map<string, number>();
  const indexOf = (word: string | null): number => {
    if (word === null) return -1;
    const known = indexes.get(word);
    if (known !== undefined) return known;
    indexes.set(word, indexes.size);
    return indexes.size - 1;
  };
  const numbers: number[] = [];
  for (const range of ranges) {
    numbers.push(
      range.end - range.start,
      indexOf(range.origin),
      indexOf(range.name),
      indexOf(range.tier),
      indexOf(range.extension),
      range.branch ?? -1,
      range.templateStart ?? -1,
      range.templateEnd ?? -1,
    );
  }
  return { words: [...indexes.keys()], numbers };
}

/** @throws {z.ZodError} for data that `packRanges` did not return. */
export function unpackRanges({ words, numbers }: PackedRanges): Range[] {
  const { origin: originSchema } = storedFactsSchema.shape.ranges.element.shape;
  const origins = words.map((word) => originSchema.safeParse(word).data);
  const ranges: Range[] = [];
  let start = 0;
  for (let at = 0; at < numbers.length; at += numbersOfRange) {
    const [length = 0, origin = -1, name = -1, tier = -1, extension = -1, branch = -1, from = -1, to = -1] =
      numbers.slice(at, at + numbersOfRange);
    ranges.push({
      start,
      end: start + length,
      origin: origins[origin] ?? originSchema.parse(words[origin]),
      name: words[name] ?? null,
      tier: words[tier] ?? "",
      extension: words[extension] ?? null,
      branch: orNull(branch),
      templateStart: orNull(from),
      templateEnd: orNull(to),
    });
    start += length;
  }
  return ranges;
}

function orNull(number: number): number | null {
  return number < 0 ? null : number;
}
