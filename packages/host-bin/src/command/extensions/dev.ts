import { ApiClientError, routes } from "@incipit/transport-contract";
import { existsSync, type FSWatcher, realpathSync, statSync, watch } from "node:fs";
import { join, resolve, sep } from "node:path";
import { systemClock } from "@incipit/host/drivers";
import { hanging } from "../output/error-text.ts";
import type { Call } from "../registry/command.ts";
import { interruptible } from "../terminal/interruption.ts";
import { addExtension, type AddOptions, granting } from "./add-extension.ts";
import { describeSwap } from "./extension-text.ts";
import { reportFailures } from "./report-failures.ts";
import { relativeWithin } from "@incipit/common";

/**
 * Swaps on each save until Ctrl-C. The last good version keeps serving while a new one fails to load.
 * @throws {ApiClientError} `UNREACHABLE` when the host goes away.
 */
export async function dev(call: Call<[path: string], "isGranted">): Promise<number> {
  const { args, output, host } = call;
  const [given] = call.words;
  const path = resolve(given);
  // The author of an extension has to learn that the host has ended.
  const { client } = await host.connect({ endsWithHost: true });
  const options: AddOptions = { client, args, output };
  const cwd = process.cwd();
  const say = (text: string, report: unknown): void =>
    args.isJson
      ? output.outLine(JSON.stringify(report))
      : output.out(`${clickablePlaces(text, { folder: realOf(path), cwd })}\n`);
  let id: string | undefined;
  let isCodeVouchedFor = false; // Set after the first grant: the author has accepted the code by saving it.
  const bring = async (signal: AbortSignal): Promise<void> => {
    try {
      id ??= await idOf(path, options);
      if (id === undefined) {
        const added = await addExtension(path, options);
        if (added !== undefined) say(`Added "${added.id}" ${added.version}`, added);
        id = added?.id;
        isCodeVouchedFor = added !== undefined;
        return;
      }
      const params = { id };
      const report = await granting({ args, output, isCodeVouchedFor }, (grant) =>
        client.call(routes.swapExtension, { params, body: { path, ...grant }, signal }),
      );
      if (report !== undefined) say(hanging(describeSwap(id, report)), report);
      isCodeVouchedFor ||= report?.outcome === "swapped" || report?.outcome === "loaded";
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiClientError) || error.code === "UNREACHABLE") throw error;
      const rest = id === undefined ? "Save a better one to try again" : "The last good version goes on serving";
      say(`${hanging(error.message)}\n${rest}`, { code: error.code, message: error.message });
    }
  };
  return interruptible(async (signal) => {
    const over = new AbortController();
    const telling = reportFailures({
      client,
      clock: systemClock,
      id: () => id,
      tell: ({ code, message }) => say(message, { code, message }),
      signal: AbortSignal.any([signal, over.signal]),
    });
    try {
      // Watches before loading, so that no save is missed.
      const changes = watchFolder(path, AbortSignal.any([signal, over.signal]));
      await bring(signal);
      output.errLine(`Watching ${path}; Ctrl-C ends it`);
      for await (const _change of changes) await bring(signal);
      return 0;
    } finally {
      over.abort();
      await telling;
    }
  });
}

async function idOf(path: string, { client }: AddOptions): Promise<string | undefined> {
  const { extensions } = await client.call(routes.listExtensions);
  const folder = realOf(path);
  return extensions.find((extension) => extension.path === folder && extension.phase !== "failed")?.id;
}

/** Resolves links as the host does; returns the path itself while it does not exist. */
function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Editors write a file in several steps; changes within this time count as one save. */
const settleMs = 60;
/** Watchers do not report that the folder itself was replaced. */
const lookMs = 300;
const ignored = /(^|\/)(node_modules|\.git)(\/|$)/;

/** Groups close changes. Also detects that the folder was removed, restored or replaced. */
function watchFolder(path: string, signal: AbortSignal): AsyncIterable<void> {
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

const placePattern = /(?<=^|[\s("'])((?:[\w@.-]+\/)*[\w@.-]+\.\w+)(?=:\d+:\d+)/g;

/** A terminal opens `weather/src/index.ts:16:6` on a click, but not `src/index.ts:16:6`. */
export function clickablePlaces(
  text: string,
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
): string {
  const shown = (path: string): string => relativeWithin(cwd, path) ?? path;
  const inside = text.replaceAll(placePattern, (name) => {
    const path = join(folder, name);
    return existsSync(path) ? shown(path) : name;
  });
  return inside.replaceAll(new RegExp(`${RegExp.escape(folder + sep)}(\\S+?)(?=:\\d+:\\d+)`, "g"), (path) =>
    shown(path),
  );
}
