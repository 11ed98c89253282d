import { useRef } from "preact/hooks";
import type { Loaded } from "./use-load.ts";

/** Kept even if the newest request failed. */
export function useKept<Value>(loaded: Loaded<Value>): Value | undefined {
  const kept = useRef<Value | undefined>(undefined);
  if (loaded.state === "ready") kept.current = loaded.value;
  return kept.current;
}
