const usualLimits = {
  /** Then the host is probed with its cheapest route. */
  askAfterMs: 2_000,
  answerWithinMs: 2_000,
  /** About half a minute. Counted, since time passes while this process is suspended. */
  maxSilent: 8,
};

export interface AskedHost {
  readonly pid: number;
  readonly isAnswering: (signal: AbortSignal) => Promise<boolean>;
  readonly err: (text: string) => void;
}

/**
 * Waits without limit for a host in another process. When it answers no probe either (suspended or hanging), reports
 * the silence with a fix.
 * @throws {Error} when it stays silent.
 */
export async function untilUnresponsive(
  answer: Promise<Response>,
  { pid, isAnswering, err }: AskedHost,
  { askAfterMs, answerWithinMs, maxSilent } = usualLimits,
): Promise<Response> {
  const isThere = answer.then(
    () => true,
    () => true,
  );
  for (let silent = 0; !(await within(isThere, askAfterMs));) {
    if (await isAnswering(AbortSignal.timeout(answerWithinMs)).catch(() => false)) {
      silent = 0;
      continue;
    }
    if (await within(isThere, 0)) break;
    silent += 1;
    if (silent > maxSilent) throw new Error(`process ${pid} has answered nothing for half a minute`);
    if (silent === 1)
      err(
        `The host, process ${pid}, does not answer; it is waited for. If it was suspended (Ctrl-Z), bring it back with fg; if it hangs, kill -9 ${pid} ends it, and what is stored stays\n`,
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
