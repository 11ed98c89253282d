import type { RE2JS } from "re2js";
import * as z from "zod";
import { toRipgrepPattern } from "./ripgrep-pattern.ts";

/** Maximum size of a compiled pattern: a thousand characters can compile to 140,000 instructions. */
const maxProgramSize = 10_000;
/** Length times program size: at most a tenth of a second. The rest of the line is skipped. */
const maxLineWork = 10_000_000;

export const searchPatternSchema = z.strictObject({
  pattern: z.string().min(1).max(1_000),
  isRegex: z
    .boolean()
    .default(false)
    .describe("Takes the pattern as a regular expression (RE2 syntax), line by line"),
  ignoreCase: z.boolean().default(false),
});

export interface SearchPattern {
  readonly compiled: RE2JS;
  readonly maxLineLength: number;
  readonly bytes?: Uint8Array;
  readonly ripgrep?: readonly string[];
}

/**
 * Matching is linear in the text: a slow expression would block the host.
 * @throws {Error} with the error in the pattern.
 */
export async function compilePattern(given: z.infer<typeof searchPatternSchema>): Promise<SearchPattern> {
  const { pattern, isRegex, ignoreCase } = given;
  if (!isRegex && /[\r\n]/.test(pattern))
    throw new Error(
      'Cannot run search: "pattern" has a line break, and lines are searched one by one; search for one of them',
    );
  // Loaded on demand: it takes a tenth of the host's start-up budget.
  const { RE2JS } = await import("re2js");
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(isRegex ? pattern : RE2JS.quote(pattern), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot run search: "pattern" is not a regular expression: ${why}`, { cause: error });
  }
  if (compiled.programSize() > maxProgramSize)
    throw new Error('Cannot run search: "pattern" has too many repeats; write fewer, or smaller counts');
  const written = isRegex ? toRipgrepPattern(pattern) : plainText(pattern);
  return {
    compiled,
    maxLineLength: isRegex ? Math.floor(maxLineWork / compiled.programSize()) : Infinity,
    ...(isRegex || ignoreCase || plainText(pattern) === undefined ? {} : { bytes: Buffer.from(pattern) }),
    ...(written === undefined
      ? {}
      : {
          ripgrep: [
            "--files-with-matches",
            ignoreCase ? "--ignore-case" : "--case-sensitive",
            ...(isRegex ? [] : ["--fixed-strings"]),
            `--regexp=${written}`,
          ],
        }),
  };
}

/** `undefined` when the pattern may match replaced bytes: invalid UTF-8 decodes to U+FFFD. */
function plainText(pattern: string): string | undefined {
  return pattern.isWellFormed() && !/[\0\uFFFD]/.test(pattern) ? pattern : undefined;
}
