import { isUnreachable } from "@incipit/client/session";
import type { CallOptions, Route, RouteInput, RouteWithoutInput, TypedRoute } from "@incipit/transport-contract";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type * as z from "zod";
import { api } from "./api.ts";

type LoadState<Value> =
  | { readonly state: "loading"; readonly known: undefined }
  | { readonly state: "failed"; readonly error: unknown; readonly known: Value | undefined }
  | { readonly state: "ready"; readonly value: Value; readonly known: Value };

/** `known` is the newest value, kept even if a later request failed. */
export type Loaded<Value> = LoadState<Value> & { readonly reload: () => void };

/** Delay between retries while the host is unreachable. */
const askedAgainMs = 3_000;

/** Outdated responses are dropped; the current value stays while reloading. Retries while the host is unreachable. */
export function useLoad<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
): Loaded<Value> {
  const [loaded, setLoaded] = useState<LoadState<Value>>({ state: "loading", known: undefined });
  const [count, setCount] = useState(0);
  const reload = useCallback(() => setCount((before) => before + 1), []);
  useEffect(() => {
    const asked = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    ask(asked.signal).then(
      (value) => {
        if (!asked.signal.aborted) setLoaded({ state: "ready", value, known: value });
      },
      (error: unknown) => {
        if (asked.signal.aborted) return;
        setLoaded(({ known }) => ({ state: "failed", error, known }));
        if (isUnreachable(error)) timer = setTimeout(reload, askedAgainMs);
      },
    );
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [...keys, count]);
  return useMemo(() => ({ ...loaded, reload }), [loaded]);
}

/** Calls a route, and again when its input or one of `keys` changes. */
export function useRoute<Response extends z.ZodType>(
  route: TypedRoute<Response> & RouteWithoutInput,
  input?: Omit<CallOptions, "signal">,
  keys?: readonly unknown[],
): Loaded<z.output<Response>>;
export function useRoute<Response extends z.ZodType, Target extends Route>(
  route: Target & TypedRoute<Response>,
  input: Omit<CallOptions, "signal"> & RouteInput<Target>,
  keys?: readonly unknown[],
): Loaded<z.output<Response>>;
export function useRoute<Response extends z.ZodType>(
  route: TypedRoute<Response> & RouteWithoutInput,
  input: Omit<CallOptions, "signal"> = {},
  keys: readonly unknown[] = [],
): Loaded<z.output<Response>> {
  return useLoad((signal) => api.call(route, { ...input, signal }), [JSON.stringify(input), ...keys]);
}

/** Calls `again` regularly while the page is visible. */
export function useRefresh(again: () => void, everyMs: number): void {
  const newest = useRef(again);
  newest.current = again;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) newest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}

/** Follows `text` after a pause in typing. */
export function useSettled(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
