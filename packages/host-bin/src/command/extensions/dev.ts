import { ApiClientError, routes } from "@incipit/transport-contract";
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { systemClock } from "@incipit/host/drivers";
import { hanging } from "../output/error-text.ts";
import type { Call } from "../registry/command.ts";
import { interruptible } from "../terminal/interruption.ts";
import { addExtension, granting, type AddOptions } from "./add-extension.ts";
import { clickablePlaces } from "./clickable-places.ts";
import { describeSwap } from "./extension-text.ts";
import { reportFailures } from "./report-failures.ts";
import { watchFolder } from "./watch-folder.ts";

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
