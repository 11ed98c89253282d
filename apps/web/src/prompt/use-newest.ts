import { useCallback, useEffect, useState } from "preact/hooks";

export interface Newest<Value> {
  /** Kept while a newer one loads, and if that fails. */
  readonly value: Value | undefined;
  readonly error: unknown;
  readonly isAsking: boolean;
  readonly retry: () => void;
}

interface NewestOptions<Value> {
  readonly ask: (signal: AbortSignal) => Promise<Value>;
  readonly keys: readonly unknown[];
  readonly delayMs: number;
}

/** A new request aborts the previous. */
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
