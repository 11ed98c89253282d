import type { FileSystem } from "@incipit/kernel";
import { basename, dirname, join } from "node:path/posix";
import type { ToolCall } from "./define-tool.ts";
import { inOrder } from "./in-order.ts";
import { fileTimeoutMs, maxEntries } from "./limits.ts";
import type { FoundFile } from "./walk-files.ts";

export interface ModifiedFilesOptions {
  readonly call: ToolCall;
  readonly root: string;
  readonly onUnreadable: () => void;
}

export type ModifiedFile = Required<Pick<FoundFile, "path" | "modifiedAtMs">>;

/** Unknown times are read within the grant; entries that are inaccessible or not files are skipped. */
export async function* modifiedFiles(
  fs: FileSystem,
  files: AsyncIterable<FoundFile>,
  { call, root, onUnreadable }: ModifiedFilesOptions,
): AsyncGenerator<ModifiedFile, void> {
  const folders = new Map<string, Set<string>>();
  for await (const { path, modifiedAtMs } of files) {
    if (modifiedAtMs !== undefined) {
      yield { path, modifiedAtMs };
      continue;
    }
    const folder = dirname(path);
    const names = folders.get(folder) ?? new Set();
    folders.set(folder, names.add(basename(path)));
  }
  const look = async ([folder, names]: readonly [string, ReadonlySet<string>]): Promise<
    readonly ModifiedFile[]
  > => {
    const place = join(root, folder);
    const listed = await fs.list(place, { ...call, maxEntries, timeoutMs: fileTimeoutMs });
    if (listed.kind === "absent") {
      if (listed.reason !== "denied" && !call.signal.aborted) onUnreadable();
      return [];
    }
    if (listed.path !== place) return [];
    if (listed.leftOut > 0) onUnreadable();
    return listed.entries.flatMap(({ name, kind, modifiedAtMs }) =>
      kind === "file" && names.has(name) ? { path: join(folder, name), modifiedAtMs } : [],
    );
  };
  for await (const found of inOrder(toAsync(folders), { work: look, size: () => 0, room: 0 })) {
    call.signal.throwIfAborted();
    yield* found;
  }
}

async function* toAsync<Item>(items: Iterable<Item>): AsyncGenerator<Item, void> {
  yield* items;
}
