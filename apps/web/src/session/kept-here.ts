/** What this browser keeps for somebody, by how its keys begin. What is kept per tab is in the tab's own storage. */
export const keptPrefixes = {
  /** A message that was not sent; in the tab. */
  message: "draft:",
  /** A template that was not saved. */
  template: "prompt-draft:",
  /** An agent that was not saved; in the tab. */
  agent: "agent-draft:",
  /** A conversation that waits to be erased. */
  deletion: "deleting:",
  /** How far a conversation was seen. */
  seen: "seen:",
} as const;

export interface Unsaved {
  readonly messages: number;
  readonly templates: number;
  readonly agents: number;
}

/** What would be lost if all that is kept here were removed; of messages and agents those of this tab. */
export function unsavedHere(): Unsaved {
  return {
    messages: keysOf(sessionStorage, keptPrefixes.message).length,
    templates: keysOf(localStorage, keptPrefixes.template).length,
    agents: keysOf(sessionStorage, keptPrefixes.agent).length,
  };
}

/** Whoever uses this browser next finds nothing that was written or named here. */
export function removeKeptHere(): void {
  for (const storage of [localStorage, sessionStorage])
    for (const prefix of Object.values(keptPrefixes))
      for (const key of keysOf(storage, prefix)) storage.removeItem(key);
}

function keysOf(storage: Storage, prefix: string): readonly string[] {
  return Object.keys(storage).filter((key) => key.startsWith(prefix));
}
