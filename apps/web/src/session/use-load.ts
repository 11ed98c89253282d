import { useCallback, useEffect, useState } from "preact/hooks";
import { isAway } from "./api.ts";

export type Loaded<Value> =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly error: unknown }
  | { readonly state: "ready"; readonly value: Value };

/** A host that is away is asked again after this: the page says that it goes on by itself. */
const askedAgainMs = 3_000;

/**
 * Asks for something, again whenever `keys` change or `reload` is called; an answer that comes after a newer question is
 * dropped. What was there stays while it is asked for again.
 * While the host is away, it is asked again and again.
 */
export function useLoad<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
): { readonly loaded: Loaded<Value>; readonly reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ state: "loading" });
  const [count, setCount] = useState(0);
  useEffect(() => {
    const asked = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    ask(asked.signal).then(
      (value) => {
        if (!asked.signal.aborted) setLoaded({ state: "ready", value });
      },
      (error: unknown) => {
        if (asked.signal.aborted) return;
        setLoaded({ state: "failed", error });
        if (isAway(error)) timer = setTimeout(() => setCount((before) => before + 1), askedAgainMs);
      },
    );
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [...keys, count]);
  return { loaded, reload: useCallback(() => setCount((before) => before + 1), []) };
}
