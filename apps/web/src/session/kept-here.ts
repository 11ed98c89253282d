/** Key prefixes of data stored in this browser; data per tab is in its session storage. */
export const keptPrefixes = {
  /** Unsent message, per tab. */
  message: "draft:",
  /** Unsaved template. */
  template: "prompt-draft:",
  /** Unsaved agent, per tab. */
  agent: "agent-draft:",
  /** Pending deletion. */
  deletion: "deleting:",
  /** Read position. */
  seen: "seen:",
} as const;

export interface Unsaved {
  readonly messages: number;
  readonly templates: number;
  readonly agents: number;
}

/** Counts unsaved data that a removal would lose; messages and agents only of this tab. */
export function unsavedHere(): Unsaved {
  return {
    messages: keysOf(sessionStorage, keptPrefixes.message).length,
    templates: keysOf(localStorage, keptPrefixes.template).length,
    agents: keysOf(sessionStorage, keptPrefixes.agent).length,
  };
}

/** Removes all user data, for the next user of this browser. */
export function removeKeptHere(): void {
  for (const storage of [localStorage, sessionStorage])
    for (const prefix of Object.values(keptPrefixes))
      for (const key of keysOf(storage, prefix)) storage.removeItem(key);
}

function keysOf(storage: Storage, prefix: string): readonly string[] {
  return Object.keys(storage).filter((key) => key.startsWith(prefix));
}
