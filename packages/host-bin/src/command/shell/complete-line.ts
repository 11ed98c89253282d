import type { Output } from "../output/output.ts";
import { complete } from "./complete.ts";
import type { ValueSource } from "./value-source.ts";

/** From the start of the process on; a person who has typed half a word waits no longer. */
const answerWithinMs = 300;

/** `complete -- WORD …`: what a shell asks while somebody types. It says nothing rather than something late, and no error. */
export async function completeLine(words: readonly string[], output: Output): Promise<void> {
  const leftMs = Math.max(1, answerWithinMs - performance.now());
  const late = new AbortController();
  const timer = setTimeout(() => process.exit(0), leftMs);
  try {
    await complete(words, sourceFor(words, late.signal), output);
  } catch {
    // A completion that fails is none: what is wrong, the command itself will say.
  }
  late.abort();
  clearTimeout(timer);
}

/** Loaded when a value is asked for: most words need no host. */
function sourceFor(words: readonly string[], signal: AbortSignal): ValueSource {
  return async (kind) => {
    const { ownPlaces } = await import("../../config/load-config.ts");
    const { valueSource } = await import("./value-source.ts");
    const flags = { config: given(words, "--config"), data: given(words, "--data") };
    const { dataFolder, userFolder } = ownPlaces({ cwd: process.cwd(), env: process.env, flags });
    return valueSource({ dataFolder, userFolder, cwd: process.cwd(), signal })(kind);
  };
}

function given(words: readonly string[], option: string): string | undefined {
  const at = words.lastIndexOf(option);
  const joined = words.findLast((word) => word.startsWith(`${option}=`));
  return at === -1 || at >= words.length - 2 ? joined?.slice(option.length + 1) : words[at + 1];
}
