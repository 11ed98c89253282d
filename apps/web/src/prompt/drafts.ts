import * as z from "zod";
import { keep, keptPrefixes, readKept } from "../session/kept-here.ts";
import { hexOf } from "../text/bytes.ts";

const draftSchema = z.object({
  text: z.string(),
  /** ETag when editing began; `null` if the host keeps no versions. */
  etag: z.string().nullable().catch(null),
  savedAt: z.string().catch(""),
});

export interface Draft extends z.infer<typeof draftSchema> {
  readonly id: string;
}

const prefix = keptPrefixes.template;
const tabKey = "prompt-draft-tab";
/**
 * Wait for a draft's lock: after a reload for the page before, otherwise only briefly, since another tab will not
 * release it.
 */
const releaseMs = { reload: 3_000, other: 500 } as const;
/** A reloaded tab takes its draft's lock again within this time. */
const settleMs = 1_000;

/**
 * The id survives a reload; the lock is held until `signal` aborts. A duplicated tab copies the id of the original and
 * gets a new one.
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

/** `false` if the browser's storage is full. */
export function keepDraft({ id, ...draft }: Omit<Draft, "savedAt">): boolean {
  return keep(localStorage, prefix + id, JSON.stringify({ ...draft, savedAt: new Date().toISOString() }));
}

export function keepAside(draft: Pick<Draft, "text" | "etag">): boolean {
  return keepDraft({ id: newId(), ...draft });
}

export function dropDraft(id: string): void {
  localStorage.removeItem(prefix + id);
}

/** Newest first; only drafts that no tab has open. */
export async function draftsLeft(): Promise<readonly Draft[]> {
  const held = await heldKeys();
  const drafts = Object.keys(localStorage).flatMap((key) => {
    if (!key.startsWith(prefix) || held.has(key)) return [];
    const id = key.slice(prefix.length);
    return parse(id, localStorage.getItem(key)) ?? [];
  });
  return drafts.toSorted((one, other) => other.savedAt.localeCompare(one.savedAt));
}

/** Calls back at first, and whenever drafts without a tab may have changed. */
export function watchDraftsLeft(signal: AbortSignal, onChange: () => void): void {
  const watched = new Set<string>();
  const look = (): void => {
    if (signal.aborted) return;
    onChange();
    void watch();
  };
  /** A shared lock waits for the release of a draft. */
  const watch = async (): Promise<void> => {
    const own = prefix + (sessionStorage.getItem(tabKey) ?? "");
    for (const key of await heldKeys()) {
      if (signal.aborted || key === own || !key.startsWith(prefix) || watched.has(key)) continue;
      watched.add(key);
      locks()
        ?.request(key, { mode: "shared", signal }, () => watched.delete(key))
        .then(() => setTimeout(look, settleMs))
        .catch(() => undefined);
    }
  };
  // Covers drafts set aside and those of other tabs.
  addEventListener("focus", look, { signal });
  look();
}

async function heldKeys(): Promise<ReadonlySet<string>> {
  const held = (await locks()?.query())?.held ?? [];
  return new Set(held.flatMap(({ name }) => name ?? []));
}

function newId(): string {
  // `randomUUID` requires a secure context.
  return hexOf(crypto.getRandomValues(new Uint8Array(12)));
}

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
  const draft = readKept(draftSchema, stored);
  return draft && { id, ...draft };
}
