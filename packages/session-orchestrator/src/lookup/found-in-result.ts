import { lazySchema } from "@incipit/schema";
import { parseJson } from "@incipit/kernel";
import * as z from "zod";
import { runHint } from "./search-answer.ts";

export interface FoundInResult {
  /** Best first. */
  readonly names: readonly string[];
  /** The line that tells of those that are not among them. */
  readonly more: string;
}

const toolSchema = lazySchema(() => z.object({ name: z.string() }));

/**
 * What a search has found, from the text that it gave: no more is kept of it, so what was cut, or left out of it, is found no
 * more. `undefined`: nothing, or the text says more than that, such as that no tool has a name; then it is told as it is.
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
