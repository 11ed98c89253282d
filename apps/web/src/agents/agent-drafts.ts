import { keptPrefixes } from "../session/kept-here.ts";

/** Unsaved work on an agent, as this tab keeps it. */
export interface AgentDraft {
  readonly text: string;
  /** Names the agent's text with which the work began; `null`: there was none. */
  readonly etag: string | null;
}

/** @param name `""`: a new one, whatever it will be called. */
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

/** Gives `false` when the browser has no room for it. */
export function keepAgentDraft(name: string, draft: AgentDraft): boolean {
  try {
    sessionStorage.setItem(keptPrefixes.agent + name, JSON.stringify(draft));
    return true;
  } catch {
    return false; // It says so on the page: the text itself is still in the editor.
  }
}

export function dropAgentDraft(name: string): void {
  sessionStorage.removeItem(keptPrefixes.agent + name);
}
