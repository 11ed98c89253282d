import { useRef } from "preact/hooks";
import type { Loaded } from "./use-load.ts";

/** The last that was answered, also while the newest question fails: a host that is away for a moment takes nothing away. */
export function useKept<Value>(loaded: Loaded<Value>): Value | undefined {
  const kept = useRef<Value | undefined>(undefined);
  if (loaded.state === "ready") kept.current = loaded.value;
  return kept.current;
}
