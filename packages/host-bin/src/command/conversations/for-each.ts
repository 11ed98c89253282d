import { type HandlerResult, exitCodeOf } from "../registry/command.ts";
import { errorText } from "../output/error-text.ts";
import type { Output } from "../output/output.ts";

/** Reports a failure and continues; the exit code is then 1. */
export async function forEach(
  names: readonly string[],
  output: Pick<Output, "err">,
  act: (name: string) => HandlerResult,
): Promise<number> {
  const [only = "", ...others] = names;
  if (others.length === 0) return exitCodeOf(act(only));
  let exitCode = 0;
  for (const name of names)
    try {
      exitCode = Math.max(exitCode, await exitCodeOf(act(name)));
    } catch (error) {
      output.err(`${errorText(error)}\n`);
      exitCode = 1;
    }
  return exitCode;
}
