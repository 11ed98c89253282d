import { lazySchema } from "@incipit/schema";
import { parseJson } from "@incipit/kernel";
import * as z from "zod";
import { runHint } from "./search-answer.ts";

export interface FoundInResult {
  readonly names: readonly string[];
  readonly more: string;
}

const toolSchema = lazySchema(() => z.object({ name: z.string() }));

/**
 * The stored result is the only record of a search. `undefined` for a truncated, edited or different text, which is
 * sent as text.
 */
export function foundInResult(output: string): FoundInResult | undefined {
  const lines = output.split("\n");
  const first = lines.findIndex((line) => !line.startsWith("{"));
  const [more, last, ...others] = lines.slice(first);
  if (first < 1 || more === undefined || last !== runHint || others.length > 0) return undefined;
  const names = lines.slice(0, first).map(nameIn);
  return names.every((name) => name !== undefined) ? { names: [...new Set(names)], more } : undefined;
}

function nameIn(line: string): string | undefined {
  try {
    return toolSchema.safeParse(parseJson(line)).data?.name;
  } catch {
    return undefined;
  }
}
