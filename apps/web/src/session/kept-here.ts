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
