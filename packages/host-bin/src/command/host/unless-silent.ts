const usualLimits = {
  /** A host that has not answered for so long is asked for the one thing that costs it nothing. */
  askAfterMs: 2_000,
  /** Nor has it answered that for so long: it is silent. */
  answerWithinMs: 2_000,
  /** So often in a row, which is half a minute: it is given up. Counted, since time goes on while this process is suspended. */
  maxSilent: 8,
};

export interface AskedHost {
  readonly pid: number;
  /** Resolves to whether it answers anything at all. */
  readonly isAnswering: (signal: AbortSignal) => Promise<boolean>;
  readonly err: (text: string) => void;
}

/**
 * An answer of a host of another process, however long it takes. A host that answers nothing else either, such as one that was
 * suspended or hangs, is told with what to do, and waited for about half a minute.
 * @throws {Error} when it stays silent.
 */
export async function unlessSilent(
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
