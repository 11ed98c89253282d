import type { Output } from "../output/output.ts";
import { complete, type Typed } from "./complete.ts";
import type { ValueSource } from "./value-source.ts";

/** Since the start of the process; a user at a prompt does not wait longer. */
const answerWithinMs = 300;
/** For the host, also after a slow start. */
const leastMs = 150;

/** Prints nothing rather than something late, and never an error. */
export async function completeLine(typed: Typed, output: Output): Promise<void> {
  try {
    await complete(typed, sourceFor(typed.words), output);
  } catch {}
}

/** Most words need no host. */
function sourceFor(words: readonly string[]): ValueSource {
  return async (kind) => {
    const { ownPlaces } = await import("../../config/own-places.ts");
    const { valueSource } = await import("./value-source.ts");
    const flags = { config: given(words, "--config"), data: given(words, "--data") };
    const { dataFolder, userFolder } = ownPlaces({ cwd: process.cwd(), env: process.env, flags });
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), Math.max(leastMs, answerWithinMs - performance.now()));
    try {
      return await valueSource({ dataFolder, userFolder, cwd: process.cwd(), signal: late.signal })(kind);
    } finally {
      clearTimeout(timer);
    }
  };
}

function given(words: readonly string[], option: string): string | undefined {
  const at = words.lastIndexOf(option);
  const joined = words.findLast((word) => word.startsWith(`${option}=`));
  return at === -1 || at >= words.length - 2 ? joined?.slice(option.length + 1) : words[at + 1];
}
