import { useEffect, useRef } from "preact/hooks";

/** Only while the page is visible. */
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
