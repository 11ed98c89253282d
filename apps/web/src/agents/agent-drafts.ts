import { keptPrefixes } from "../session/kept-here.ts";

export interface AgentDraft {
  readonly text: string;
  /** ETag when editing began; `null` if there was no file. */
  readonly etag: string | null;
}

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

/** `false` if the browser's storage is full. */
export function keepAgentDraft(name: string, draft: AgentDraft): boolean {
  try {
    sessionStorage.setItem(keptPrefixes.agent + name, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropAgentDraft(name: string): void {
  sessionStorage.removeItem(keptPrefixes.agent + name);
}
