import { nearestWord } from "@incipit/common/suggestion";
import { options } from "./options.ts";
import type { Option } from "./option.ts";

const flags: readonly Option[] = Object.values(options);

/** Returns an error for users in place of the runtime's, which is written for programmers. */
export function optionProblem(error: unknown, args: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const { dashes = "", unknown } = /Unknown option '(?<dashes>-*)(?<unknown>[^']+)'/.exec(message)?.groups ?? {};
  if (unknown !== undefined) {
    const nearest = nearestWord(
      unknown,
      flags.map(({ flag }) => flag),
    );
    const meant = nearest === undefined ? '"incipit help all" lists them' : `did you mean "--${nearest}"?`;
    return `Unknown option "${dashes}${unknown}"; ${meant}`;
  }
  const bare = bareOption(message, args);
  return bare === undefined
    ? (message.split(". ")[0] ?? message)
    : `"${bare.typed}" needs a value: ${bare.typed} ${bare.value}`;
}

function bareOption(
  message: string,
  args: readonly string[],
): { readonly typed: string; readonly value: string } | undefined {
  const ambiguous = /^Option '([^']+)' argument is ambiguous[^]*'(--[\w-]+)=/.exec(message);
  const missing = /^Option '(?:(-\w), )?(--[\w-]+) <value>' argument missing/.exec(message);
  const long = ambiguous?.[2] ?? missing?.[2];
  if (long === undefined) return undefined;
  const typed = ambiguous?.[1] ?? (args.includes(long) ? long : (missing?.[1] ?? long));
  return { typed, value: flags.find(({ flag }) => `--${flag}` === long)?.value ?? "VALUE" };
}
