const usualLimits = {
  /** A host that has not answered for so long is asked for the one thing that costs it nothing. */
  askAfterMs: 2_000,
  /** Nor has it answered that for so long: it is silent. */
  answerWithinMs: 2_000,
  /** Longest wait for a host that stays silent. */
  silentTimeoutMs: 30_000,
};

export interface AskedHost {
  readonly pid: number;
  /** Resolves to whether it answers anything at all. */
  readonly isAnswering: (signal: AbortSignal) => Promise<boolean>;
  readonly err: (text: string) => void;
}

/**
 * An answer of a host of another process, however long it takes. A host that answers nothing else either, such as one that was
 * stopped or stands still, is told, and waited for no longer than half a minute.
 * @throws {Error} with what to do.
 */
export async function unlessSilent(
  answer: Promise<Response>,
  { pid, isAnswering, err }: AskedHost,
  { askAfterMs, answerWithinMs, silentTimeoutMs } = usualLimits,
): Promise<Response> {
  const isThere = answer.then(
    () => true,
    () => true,
  );
  let silentSinceMs: number | undefined;
  while (!(await within(isThere, askAfterMs))) {
    const askedAtMs = performance.now();
    if (await isAnswering(AbortSignal.timeout(answerWithinMs)).catch(() => false)) {
      silentSinceMs = undefined;
      continue;
    }
    if (silentSinceMs === undefined)
      err(`The host, process ${pid}, does not answer; it is waited for (Ctrl-C ends the wait)\n`);
    silentSinceMs ??= askedAtMs;
    if (performance.now() - silentSinceMs > silentTimeoutMs)
      throw new Error(
        `The host, process ${pid}, has answered nothing for ${silentTimeoutMs / 1_000} s; if it stands still, end it: kill -9 ${pid} (what is stored stays, and the next command starts another one)`,
      );
  }
  return answer;
}

async function within(isThere: Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  try {
    return await Promise.race([isThere, promise]);
  } finally {
    clearTimeout(timer);
  }
}
