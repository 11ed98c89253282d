import { isUnreachable } from "@incipit/client/session";
import { useCallback, useEffect, useState } from "preact/hooks";

export type Loaded<Value> =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly error: unknown }
  | { readonly state: "ready"; readonly value: Value };

/** While the host is unreachable. */
const askedAgainMs = 3_000;

/** Outdated responses are dropped; the current value stays while reloading. Retries while the host is unreachable. */
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
        if (isUnreachable(error)) timer = setTimeout(() => setCount((before) => before + 1), askedAgainMs);
      },
    );
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [...keys, count]);
  return { loaded, reload: useCallback(() => setCount((before) => before + 1), []) };
}
