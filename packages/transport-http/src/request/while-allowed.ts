import { accessEndedAnswer } from "./admission.ts";

export interface WhileAllowedOptions {
  readonly over: AbortSignal | undefined;
  readonly late: AbortController;
}

/** Covers the time until the answer begins; streams handle the rest. */
export async function whileAllowed(
  work: () => Promise<Response>,
  { over, late }: WhileAllowedOptions,
): Promise<Response> {
  if (over === undefined) return work();
  if (over.aborted) return accessEndedAnswer();
  const refused = Promise.withResolvers<Response>();
  const refuse = (): void => {
    refused.resolve(accessEndedAnswer());
    late.abort();
  };
  over.addEventListener("abort", refuse, { once: true });
  const answer = work();
  try {
    return await Promise.race([refused.promise, answer]);
  } finally {
    over.removeEventListener("abort", refuse);
    // An undelivered stream would wait for a reader.
    if (over.aborted) answer.then((unread) => unread.body?.cancel()).catch(() => undefined);
  }
}
