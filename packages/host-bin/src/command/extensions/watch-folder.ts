import { statSync, watch, type FSWatcher } from "node:fs";

/** Editors write a file in several steps: what comes within this time is one save. */
const settleMs = 60;
/** Whoever watches a folder is not told that another one has come in its place: that is looked for. */
const lookMs = 300;
const ignored = /(^|\/)(node_modules|\.git)(\/|$)/;

/**
 * One item for the changes in a folder that come close together, from the call on; ends when the signal aborts. A folder
 * that goes away, comes back or is replaced by another one is a change too.
 */
export function watchFolder(path: string, signal: AbortSignal): AsyncIterable<void> {
  let isChanged = false;
  let wake = (): void => {};
  const note = (): void => {
    isChanged = true;
    wake();
  };
  const open = (): FSWatcher | undefined => {
    if (identityOf(path) === undefined) return undefined;
    const watcher = watch(path, { recursive: true }, (_, filename) => {
      if (!ignored.test(filename ?? "")) note();
    });
    return watcher.on("error", note); // Such as a folder in it that is gone by now: the next look finds what is there.
  };
  let seen = identityOf(path);
  let watcher = open();
  const looking = setInterval(() => {
    const found = identityOf(path);
    if (found === seen) return;
    seen = found;
    watcher?.close();
    watcher = open();
    note();
  }, lookMs);
  const end = (): void => {
    clearInterval(looking);
    watcher?.close();
    wake();
  };
  signal.addEventListener("abort", end, { once: true });

  async function* changes(): AsyncGenerator<void> {
    while (!signal.aborted) {
      if (!isChanged) await new Promise<void>((resolve) => (wake = resolve));
      while (isChanged && !signal.aborted) {
        isChanged = false;
        await Bun.sleep(settleMs);
        if (!isChanged) yield;
      }
    }
  }
  return changes();
}

/** Tells a folder from another one at the same path; `undefined`: there is none. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev} ${found.ino} ${found.birthtimeMs}`;
}
