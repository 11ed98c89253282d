import type { RE2JS } from "re2js";
import * as z from "zod";
import { toRipgrepPattern } from "./ripgrep-pattern.ts";

/** Largest compiled expression: one of a thousand characters can come to 140,000. */
const maxProgramSize = 10_000;
/**
 * What one line may take at most: its length times the size of the program. It takes no more than a tenth of a second; the rest of a
 * line is left out.
 */
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
  /** How much of a line is searched, from its beginning. */
  readonly maxLineLength: number;
  /** Bytes that each line which fits holds; absent: none are known. */
  readonly bytes?: Uint8Array;
  /** Arguments with which ripgrep names each file that has a line which fits; absent: there are none. */
  readonly ripgrep?: readonly string[];
}

/**
 * Makes ready what the model asks for; the work is linear in the text, whatever that is: one slow expression would hold the whole host.
 * @throws {Error} that says what is wrong with it.
 */
export async function compilePattern(given: z.infer<typeof searchPatternSchema>): Promise<SearchPattern> {
  const { pattern, isRegex, ignoreCase } = given;
  if (!isRegex && /[\r\n]/.test(pattern))
    throw new Error(
      'Cannot run search: "pattern" has a line break, and lines are searched one by one; search for one of them',
    );
  // Not at the top: it takes a tenth of the time in which a host is to be ready.
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

/** `undefined`: the bytes of a file in which it stands may be others, for what is no UTF-8 is read as U+FFFD. */
function plainText(pattern: string): string | undefined {
  return pattern.isWellFormed() && !/[\0\uFFFD]/.test(pattern) ? pattern : undefined;
}
