import { nearestWord } from "@incipit/host/text";
import { optionWords } from "./option-words.ts";

/** What is wrong with the options, in the place of the runtime's own words, which speak to programmers. */
export function optionProblem(error: unknown, args: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const { dashes = "", unknown } = /Unknown option '(?<dashes>-*)(?<unknown>[^']+)'/.exec(message)?.groups ?? {};
  if (unknown !== undefined) {
    const nearest = nearestWord(unknown, Object.keys(optionWords));
    const meant = nearest === undefined ? '"incipit help all" lists them' : `did you mean "--${nearest}"?`;
    return `Unknown option "${dashes}${unknown}"; ${meant}`;
  }
  const bare = bareOption(message, args);
  return bare === undefined
    ? (message.split(". ")[0] ?? message)
    : `"${bare.typed}" needs a value: ${bare.typed} ${bare.value}`;
}

/** The one without a value, as it was typed: nothing stands behind it, or another option. `undefined`: it is none of these. */
function bareOption(
  message: string,
  args: readonly string[],
): { readonly typed: string; readonly value: string } | undefined {
  const ambiguous = /^Option '([^']+)' argument is ambiguous[^]*'(--[\w-]+)=/.exec(message);
  const missing = /^Option '(?:(-\w), )?(--[\w-]+) <value>' argument missing/.exec(message);
  const long = ambiguous?.[2] ?? missing?.[2];
  if (long === undefined) return undefined;
  const typed = ambiguous?.[1] ?? (args.includes(long) ? long : (missing?.[1] ?? long));
  const known = Object.entries(optionWords).find(([name]) => `--${name}` === long);
  return { typed, value: known?.[1].value ?? "VALUE" };
}
