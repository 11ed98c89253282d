import { statSync, watch, type FSWatcher } from "node:fs";

/** Editors write a file in several steps; changes within this time count as one save. */
const settleMs = 60;
/** Watchers do not report that the folder itself was replaced. */
const lookMs = 300;
const ignored = /(^|\/)(node_modules|\.git)(\/|$)/;

/** Groups close changes. Also detects that the folder was removed, restored or replaced. */
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
    return watcher.on("error", note); // A deleted subfolder, for example; the next poll handles it.
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

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev} ${found.ino} ${found.birthtimeMs}`;
}
