import { useEffect } from "preact/hooks";
import type * as z from "zod";

/** Data per tab is in session storage. */
export const keptPrefixes = {
  /** Per tab. */
  message: "draft:",
  template: "prompt-draft:",
  /** Per tab. */
  agent: "agent-draft:",
  deletion: "deleting:",
  seen: "seen:",
} as const;

/** `false` if the browser's storage is full. */
export function keep(storage: Storage, key: string, text: string): boolean {
  try {
    storage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** `undefined` if missing or damaged. */
export function readKept<Shape extends z.ZodType>(
  shape: Shape,
  stored: string | null,
): z.output<Shape> | undefined {
  try {
    return shape.safeParse(JSON.parse(stored ?? "")).data;
  } catch {
    return undefined;
  }
}

/** Calls `onChange` for events named `eventName` of this tab, and for changes of `prefix` in others. */
export function useKeptChanges(prefix: string, eventName: string, onChange: () => void): void {
  useEffect(() => {
    const follow = (event: Event): void => {
      if (!(event instanceof StorageEvent) || event.key === null || event.key.startsWith(prefix)) onChange();
    };
    addEventListener(eventName, follow);
    addEventListener("storage", follow);
    return () => {
      removeEventListener(eventName, follow);
      removeEventListener("storage", follow);
    };
  }, []);
}

export interface Unsaved {
  readonly messages: number;
  readonly templates: number;
  readonly agents: number;
}

/** Messages and agents only of this tab. */
export function unsavedHere(): Unsaved {
  return {
    messages: keysOf(sessionStorage, keptPrefixes.message).length,
    templates: keysOf(localStorage, keptPrefixes.template).length,
    agents: keysOf(sessionStorage, keptPrefixes.agent).length,
  };
}

/** For the next user of this browser. */
export function removeKeptHere(): void {
  for (const storage of [localStorage, sessionStorage])
    for (const prefix of Object.values(keptPrefixes))
      for (const key of keysOf(storage, prefix)) storage.removeItem(key);
}

function keysOf(storage: Storage, prefix: string): readonly string[] {
  return Object.keys(storage).filter((key) => key.startsWith(prefix));
}
