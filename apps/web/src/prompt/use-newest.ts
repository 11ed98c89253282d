import { useCallback, useEffect, useState } from "preact/hooks";
import { isSignedOut } from "../session/api.ts";
import { signedOut } from "../session/signed-out.ts";

export interface Newest<Value> {
  /** The last that was answered; it stays while something newer is asked for, and when that fails. */
  readonly value: Value | undefined;
  /** Why the newest question has no answer. */
  readonly error: unknown;
  readonly isAsking: boolean;
  /** Asks the same question again. */
  readonly retry: () => void;
}

interface NewestOptions<Value> {
  readonly ask: (signal: AbortSignal) => Promise<Value>;
  /** What the question is made of: it is asked again when one of these is another. */
  readonly keys: readonly unknown[];
  /** A question that is replaced earlier is never asked. */
  readonly delayMs: number;
}

/** Answers in the order of the questions: a newer question ends the one before it. */
export function useNewest<Value>({ ask, keys, delayMs }: NewestOptions<Value>): Newest<Value> {
  const [count, setCount] = useState(0);
  const retry = useCallback(() => setCount((before) => before + 1), []);
  const [newest, setNewest] = useState<Newest<Value>>({
    value: undefined,
    error: undefined,
    isAsking: true,
    retry,
  });
  useEffect(() => {
    const asked = new AbortController();
    const { signal } = asked;
    setNewest((before) => ({ ...before, isAsking: true }));
    const timer = setTimeout(() => {
      ask(signal).then(
        (value) => {
          if (!signal.aborted) setNewest({ value, error: undefined, isAsking: false, retry });
        },
        (error: unknown) => {
          if (signal.aborted) return;
          if (isSignedOut(error)) signedOut();
          setNewest(({ value }) => ({ value, error, isAsking: false, retry }));
        },
      );
    }, delayMs);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [...keys, count]);
  return newest;
}
