import { keptPrefixes } from "../session/kept-here.ts";

/** Unsaved work, as this browser keeps it. */
export interface Draft {
  readonly id: string;
  readonly text: string;
  /** Names the stored template with which the work began; `null`: the host keeps no versions. */
  readonly etag: string | null;
  readonly savedAt: string;
}

const prefix = keptPrefixes.template;
const tabKey = "prompt-draft-tab";
/** So long a tab waits for its name: after a reload for its own page of before, else for another tab, which will not let go. */
const releaseMs = { reload: 3_000, other: 500 } as const;
/** Whoever lets go of work may take it up again at once: a tab that was reloaded. */
const settleMs = 1_000;

/**
 * Gives this tab a name for its work, the same one after a reload, and holds it until `signal` aborts: a tab that was
 * duplicated has the name of the other one in its storage, and gets its own.
 */
export async function claimDraft(signal: AbortSignal): Promise<string> {
  const known = sessionStorage.getItem(tabKey);
  const id = known !== null && (await hold(known, signal)) ? known : newId();
  if (id !== known) await hold(id, signal);
  sessionStorage.setItem(tabKey, id);
  return id;
}

export function readDraft(id: string): Draft | undefined {
  return parse(id, localStorage.getItem(prefix + id));
}

/** Gives `false` when the browser has no room for it. */
export function keepDraft({ id, ...draft }: Omit<Draft, "savedAt">): boolean {
  try {
    localStorage.setItem(prefix + id, JSON.stringify({ ...draft, savedAt: new Date().toISOString() }));
    return true;
  } catch {
    return false; // It says so on the page: the text itself is still in the editor.
  }
}

/** Keeps a text beside what the tab works on. */
export function keepAside(draft: Pick<Draft, "text" | "etag">): boolean {
  return keepDraft({ id: newId(), ...draft });
}

export function dropDraft(id: string): void {
  localStorage.removeItem(prefix + id);
}

/** Work that no open tab has in its editor, newest first. */
export async function draftsLeft(): Promise<readonly Draft[]> {
  const held = await heldKeys();
  const drafts = Object.keys(localStorage).flatMap((key) => {
    if (!key.startsWith(prefix) || held.has(key)) return [];
    const id = key.slice(prefix.length);
    return parse(id, localStorage.getItem(key)) ?? [];
  });
  return drafts.toSorted((one, other) => other.savedAt.localeCompare(one.savedAt));
}

/** Calls at once, and whenever the work that no open tab has may have changed, until `signal` aborts. */
export function watchDraftsLeft(signal: AbortSignal, onChange: () => void): void {
  const watched = new Set<string>();
  const look = (): void => {
    if (signal.aborted) return;
    onChange();
    void watch();
  };
  /** A shared hold is given once the tab that has the work has let go of it. */
  const watch = async (): Promise<void> => {
    const own = prefix + (sessionStorage.getItem(tabKey) ?? "");
    for (const key of await heldKeys()) {
      if (signal.aborted || key === own || !key.startsWith(prefix) || watched.has(key)) continue;
      watched.add(key);
      locks()
        ?.request(key, { mode: "shared", signal }, () => watched.delete(key))
        .then(() => setTimeout(look, settleMs))
        .catch(() => undefined); // Nobody looks any more.
    }
  };
  // What was put aside was in no editor; and other tabs may have begun work.
  addEventListener("focus", look, { signal });
  look();
}

async function heldKeys(): Promise<ReadonlySet<string>> {
  const held = (await locks()?.query())?.held ?? [];
  return new Set(held.flatMap(({ name }) => name ?? []));
}

function newId(): string {
  // `randomUUID` is for pages that came over TLS or from this machine alone.
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}

/** `undefined` where the page came over a network without TLS. */
function locks(): LockManager | undefined {
  return "locks" in navigator ? navigator.locks : undefined;
}

function hold(id: string, signal: AbortSignal): Promise<boolean> {
  const manager = locks();
  if (manager === undefined) return Promise.resolve(true);
  const [navigation] = performance.getEntriesByType("navigation");
  const isReload = navigation instanceof PerformanceNavigationTiming && navigation.type === "reload";
  const timeout = AbortSignal.timeout(isReload ? releaseMs.reload : releaseMs.other);
  return new Promise((resolve) => {
    const untilLeft = new Promise<void>((left) => signal.addEventListener("abort", () => left(), { once: true }));
    manager
      .request(prefix + id, { signal: timeout }, () => {
        resolve(true);
        return signal.aborted ? undefined : untilLeft;
      })
      .catch(() => resolve(false));
  });
}

function parse(id: string, stored: string | null): Draft | undefined {
  if (stored === null) return undefined;
  let found: unknown;
  try {
    found = JSON.parse(stored);
  } catch {
    return undefined;
  }
  if (typeof found !== "object" || found === null || !("text" in found) || typeof found.text !== "string")
    return undefined;
  const etag = "etag" in found && typeof found.etag === "string" ? found.etag : null;
  const savedAt = "savedAt" in found && typeof found.savedAt === "string" ? found.savedAt : "";
  return { id, text: found.text, etag, savedAt };
}
