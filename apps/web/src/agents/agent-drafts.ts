import { keptPrefixes } from "../session/kept-here.ts";

/** Unsaved changes to an agent, stored per tab. */
export interface AgentDraft {
  readonly text: string;
  /** ETag of the agent's file when editing began; `null` if there was none. */
  readonly etag: string | null;
}

/** @param name `""` for a new agent. */
export function readAgentDraft(name: string): AgentDraft | undefined {
  const stored = sessionStorage.getItem(keptPrefixes.agent + name);
  if (stored === null) return undefined;
  try {
    const found: unknown = JSON.parse(stored);
    if (typeof found !== "object" || found === null || !("text" in found) || typeof found.text !== "string")
      return undefined;
    return { text: found.text, etag: "etag" in found && typeof found.etag === "string" ? found.etag : null };
  } catch {
    return undefined;
  }
}

/** Returns `false` if the browser's storage is full. */
export function keepAgentDraft(name: string, draft: AgentDraft): boolean {
  try {
    sessionStorage.setItem(keptPrefixes.agent + name, JSON.stringify(draft));
    return true;
  } catch {
    return false; // The page shows a warning; the text is still in the editor.
  }
}

export function dropAgentDraft(name: string): void {
  sessionStorage.removeItem(keptPrefixes.agent + name);
}
