import { overMeanwhile } from "./admission.ts";

export interface WhileAllowedOptions {
  /** Aborts when who asks may not go on; `undefined`: that does not happen. */
  readonly over: AbortSignal | undefined;
  /** Told when nobody waits for the answer any more. */
  readonly late: AbortController;
}

/**
 * An answer, for those who may still have it when it begins: others are refused at once, and what was asked for is told to end.
 * What comes behind the beginning of an answer sees to itself.
 */
export async function whileAllowed(
  work: () => Promise<Response>,
  { over, late }: WhileAllowedOptions,
): Promise<Response> {
  if (over === undefined) return work();
  if (over.aborted) return overMeanwhile();
  const refused = Promise.withResolvers<Response>();
  const refuse = (): void => {
    refused.resolve(overMeanwhile());
    late.abort();
  };
  over.addEventListener("abort", refuse, { once: true });
  const answer = work();
  try {
    return await Promise.race([refused.promise, answer]);
  } finally {
    over.removeEventListener("abort", refuse);
    // A stream that nobody is given would wait for a reader.
    if (over.aborted) answer.then((unread) => unread.body?.cancel()).catch(() => undefined);
  }
}
