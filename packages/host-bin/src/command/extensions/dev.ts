import { ApiClientError, routes } from "@incipit/transport-contract";
import { watch } from "node:fs/promises";
import { interruptible } from "../interruption.ts";
import { addExtension, granting, type AddOptions } from "./add-extension.ts";
import { describeSwap } from "./extension-text.ts";

/** Editors write a file in several steps: what comes within this time is one save. */
const settleMs = 60;

/**
 * Adds the extension in a folder, then swaps it on each save until Ctrl-C. A version that cannot be loaded is reported with
 * its file and line, and the last good one goes on serving.
 */
export async function dev(path: string, options: AddOptions): Promise<number> {
  const { client, args, output } = options;
  const say = (text: string, report: unknown): void =>
    output.out(args.isJson ? `${JSON.stringify(report)}\n` : `${text}\n`);
  let id: string | undefined;
  const bring = async (signal: AbortSignal): Promise<void> => {
    try {
      if (id === undefined) {
        id = await start(path, options);
        return;
      }
      const params = { id };
      const report = await granting({ args, output }, (grant) =>
        client.call(routes.swapExtension, { params, body: { path, ...grant }, signal }),
      );
      if (report !== undefined) say(describeSwap(id, report), report);
    } catch (error) {
      if (!(error instanceof ApiClientError)) throw error;
      const rest = id === undefined ? "Save a better one to try again" : "The last good version goes on serving";
      say(`${error.message}\n${rest}`, { code: error.code, message: error.message });
    }
  };
  return interruptible(async (signal) => {
    // Watched before it is loaded: a save in between is not missed.
    const changes = settled(watch(path, { recursive: true, signal }), signal);
    await bring(signal);
    output.err(`Watching ${path}; Ctrl-C ends it\n`);
    for await (const _change of changes) await bring(signal);
    return 0;
  });
}

/** Its id, once a first version runs; one that is there already is taken as it is. */
async function start(path: string, { client, args, output }: AddOptions): Promise<string | undefined> {
  const { extensions } = await client.call(routes.listExtensions);
  const there = extensions.find((extension) => extension.path === path && extension.phase === "active");
  if (there !== undefined) return there.id;
  const added = await addExtension(path, { client, args, output });
  if (added === undefined) return undefined;
  output.out(args.isJson ? `${JSON.stringify(added)}\n` : `Added "${added.id}" ${added.version}\n`);
  return added.id;
}

/** One item for the changes that come close together; ends when the signal aborts. */
async function* settled(
  changes: AsyncIterable<{ filename: string | null }>,
  signal: AbortSignal,
): AsyncGenerator<void> {
  let wake = (): void => {};
  let isOver = false;
  let isChanged = false;
  const reading = (async () => {
    try {
      for await (const { filename } of changes) {
        if (/(^|\/)(node_modules|\.git)(\/|$)/.test(filename ?? "")) continue;
        isChanged = true;
        wake();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      isOver = true;
      wake();
    }
  })();
  while (!isOver) {
    if (!isChanged) await new Promise<void>((resolve) => (wake = resolve));
    while (isChanged && !isOver) {
      isChanged = false;
      await Bun.sleep(settleMs);
      if (!isChanged) yield;
    }
  }
  await reading;
}
