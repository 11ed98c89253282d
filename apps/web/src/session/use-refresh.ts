import { useEffect, useRef } from "preact/hooks";

/** Asks again and again while somebody looks. */
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
