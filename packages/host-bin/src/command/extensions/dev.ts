import { ApiClientError, routes } from "@incipit/transport-contract";
import { existsSync, realpathSync } from "node:fs";
import { systemClock } from "@incipit/host/drivers";
import { hanging } from "../output/error-text.ts";
import { interruptible } from "../terminal/interruption.ts";
import { addExtension, granting, type AddOptions } from "./add-extension.ts";
import { clickablePlaces } from "./clickable-places.ts";
import { describeSwap } from "./extension-text.ts";
import { tellFailures } from "./tell-failures.ts";
import { watchFolder } from "./watch-folder.ts";

/**
 * Adds the extension in a folder, or swaps the one that came from there for what it is now; then swaps it on each save until
 * Ctrl-C. A version that cannot be loaded is reported with its file and line, and the last good one goes on serving; so is
 * what it throws while it serves, such as in a variable.
 * @throws {ApiClientError} `UNREACHABLE` when the host goes away.
 */
export async function dev(path: string, options: AddOptions): Promise<number> {
  const { client, args, output } = options;
  const cwd = process.cwd();
  const say = (text: string, report: unknown): void =>
    args.isJson
      ? output.outLine(JSON.stringify(report))
      : output.out(`${clickablePlaces(text, { folder: realOf(path), cwd })}\n`);
  let id: string | undefined;
  let isCodeVouchedFor = false; // Once it was taken: whoever saves it has agreed to what it has.
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
    const telling = tellFailures({
      client,
      clock: systemClock,
      id: () => id,
      tell: ({ code, message }) => say(message, { code, message }),
      signal: AbortSignal.any([signal, over.signal]),
    });
    try {
      // Watched before it is loaded: a save in between is not missed.
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

/** The extension that the host has from there; absent: it has none, or one that has failed and is added anew. */
async function idOf(path: string, { client }: AddOptions): Promise<string | undefined> {
  const { extensions } = await client.call(routes.listExtensions);
  const folder = realOf(path);
  return extensions.find((extension) => extension.path === folder && extension.phase !== "failed")?.id;
}

/** With links followed, as the host names it; as it is while nothing is there. */
function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
