import { errorMessage, SerialQueue, type StorageWrite } from "@incipit/kernel";
import type { RestorationId, TurnId } from "@incipit/schema";
import type { FileChange, WorkspaceFileRead } from "@incipit/service-contract";
import { isAbsolute } from "node:path";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { OrderedIds } from "../store/ids.ts";
import { storedEntries } from "../store/read-page.ts";
import { keys, storedFileChangeSchema, type StoredFileChange } from "../store/stored.ts";
import * as z from "zod";

export const maxKeptFileBytes = 1_048_576;
/** Per conversation; the oldest contents are dropped first. */
const maxKeptBytes = 16_777_216;
const maxFilesOfCall = 1_000;

/** Third-party tools may pass any value. */
const changeSchema = z.object({
  path: z.string().max(4_096).refine(isAbsolute),
  before: z.union([z.instanceof(Uint8Array), z.null(), z.undefined()]),
  after: z.union([z.instanceof(Uint8Array), z.null(), z.undefined()]),
});

type Owner = StoredFileChange["by"];
type Restoration = Extract<Owner, { readonly restorationId: RestorationId }>;
type KeepingContext = Pick<OrchestratorContext, "storage" | "log" | "workspaceFiles">;
type MadeChange = FileChange & { readonly after: Uint8Array | null; readonly setsMode?: boolean } & Place;
type Place = {
  readonly [Key in "mode" | "missingFolders"]:
    | Extract<WorkspaceFileRead, { readonly kind: "read" }>[Key]
    | undefined;
};

export interface KeptRestoration {
  /** Otherwise this restore cannot be undone. */
  readonly isKept: boolean;
  forget(): Promise<void>;
}

interface KeptChange {
  readonly changeId: string;
  readonly before: StoredFileChange["before"];
}

export class FileSnapshots {
  readonly #context: KeepingContext;
  readonly #conversationId: string;
  readonly #ids: OrderedIds;
  readonly #queue = new SerialQueue();
  #sizes: Map<string, number> | undefined;

  constructor(
    context: KeepingContext,
    { conversationId, ids }: { readonly conversationId: string; readonly ids: OrderedIds },
  ) {
    this.#context = context;
    this.#conversationId = conversationId;
    this.#ids = ids;
  }

  /** The recorder never rejects. */
  keeperFor(
    by: { readonly turnId: TurnId; readonly toolCallId: string },
    { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
  ): (change: FileChange) => Promise<void> {
    const ofCall = new Map<string, KeptChange>();
    let count = 0;
    return async (given) => {
      try {
        const change = changeSchema.parse(given);
        await this.#queue.run(async () => {
          signal.throwIfAborted(); // A call that has ended must not record changes.
          const { path, after } = change;
          const last = ofCall.get(path);
          if (after === undefined) {
            if (last === undefined) return;
            await this.#forget(last.changeId);
            ofCall.delete(path);
            count -= 1;
            return;
          }
          const present = await this.#present(path, { cwd, signal });
          const before = present?.content;
          // Replaces the previous record only if that change did not happen; a tool may change a file twice.
          const isUndone = last !== undefined && isSameContent(before, last.before);
          if (!isUndone && count >= maxFilesOfCall)
            throw new Error(`one call keeps at most ${maxFilesOfCall} files`);
          const replaced = isUndone ? last.changeId : undefined;
          const place = { mode: present?.mode, missingFolders: present?.missingFolders };
          const kept = { by, cwd, path, before, after, ...place };
          const { changeId } = await this.#keep(kept, { replaced, mayDropOthers: true });
          ofCall.set(path, { changeId, before: heldBefore(before) });
          if (!isUndone) count += 1;
        });
      } catch (error) {
        const facts = { conversationId: this.#conversationId, error: errorMessage(error) };
        this.#context.log.warn("Cannot store a file's content before a tool changed it", facts);
      }
    };
  }

  /** Drops no other content, which the same restore may need. */
  async keepRestored(
    by: Restoration,
    { cwd, ...change }: MadeChange & { readonly cwd: string },
  ): Promise<KeptRestoration> {
    const { changeId, isKept } = await this.#queue.run(() =>
      this.#keep({ by, cwd, ...change }, { replaced: undefined, mayDropOthers: false }),
    );
    return { isKept, forget: () => this.#queue.run(() => this.#forget(changeId)) };
  }

  /**
   * Reads through the service that restores the file instead of trusting the tool: a restore may have permissions
   * that the tool lacks. `undefined` when unreadable.
   */
  async #present(
    path: string,
    options: { readonly cwd: string; readonly signal: AbortSignal },
  ): Promise<Extract<WorkspaceFileRead, { readonly kind: "read" }> | undefined> {
    const read = await this.#context.workspaceFiles.current?.read(path, options);
    return read?.kind === "read" ? read : undefined;
  }

  async #keep(
    {
      by,
      cwd,
      path,
      before,
      after,
      mode,
      setsMode = false,
      missingFolders,
    }: MadeChange & { readonly by: Owner; readonly cwd: string },
    { replaced, mayDropOthers }: { readonly replaced: string | undefined; readonly mayDropOthers: boolean },
  ): Promise<{ readonly changeId: string; readonly isKept: boolean }> {
    const sizes = new Map((this.#sizes ??= await this.#readSizes()));
    const id = this.#conversationId;
    const changeId = this.#ids.next(z.string());
    const writes: StorageWrite[] = [];
    let hasContent = false;
    if (replaced !== undefined) {
      writes.push({ kind: "delete", key: keys.fileChange(id, replaced) });
      writes.push({ kind: "delete", key: keys.keptFile(id, replaced) });
      sizes.delete(replaced);
    }
    if (before instanceof Uint8Array && before.length <= maxKeptFileBytes) {
      let left = maxKeptBytes - before.length;
      for (const size of sizes.values()) left -= size;
      if (mayDropOthers)
        for (const [oldest, size] of sizes) {
          if (left >= 0) break;
          left += size;
          sizes.delete(oldest);
          writes.push({ kind: "delete", key: keys.keptFile(id, oldest) });
        }
      if (left >= 0) {
        hasContent = true;
        sizes.set(changeId, before.length);
        writes.push({
          kind: "set",
          key: keys.keptFile(id, changeId),
          value: Buffer.from(before).toString("base64"),
        });
      }
    }
    const held = { before: heldBefore(before), after: contentDigest(after) };
    const place = {
      ...(mode === undefined ? {} : { mode }),
      ...(setsMode ? { setsMode } : {}),
      ...(missingFolders === undefined ? {} : { missingFolders: [...missingFolders] }),
    };
    const change = { by, cwd, path, ...held, ...place, hasContent } satisfies StoredFileChange;
    writes.push({ kind: "set", key: keys.fileChange(id, changeId), value: change });
    await this.#context.storage.atomic([], writes);
    this.#sizes = sizes;
    return { changeId, isKept: hasContent || before === null };
  }

  async #forget(changeId: string): Promise<void> {
    const id = this.#conversationId;
    await this.#context.storage.atomic(
      [],
      [
        { kind: "delete", key: keys.fileChange(id, changeId) },
        { kind: "delete", key: keys.keptFile(id, changeId) },
      ],
    );
    this.#sizes?.delete(changeId);
  }

  async #readSizes(): Promise<Map<string, number>> {
    const prefix = keys.fileChanges(this.#conversationId);
    const found: [changeId: string, size: number][] = [];
    for await (const { key, value } of storedEntries(this.#context, prefix, storedFileChangeSchema)) {
      const { before, hasContent } = value;
      if (before === null || before === "unknown" || !hasContent) continue;
      found.push([key.slice(prefix.length), before.sizeBytes]);
    }
    let left = maxKeptBytes;
    const kept = found.toReversed().filter(([, size]) => (left -= size) >= 0);
    return new Map(kept.toReversed());
  }
}

function heldBefore(before: Uint8Array | null | undefined): StoredFileChange["before"] {
  return before === undefined ? "unknown" : contentDigest(before);
}

function isSameContent(content: Uint8Array | null | undefined, held: StoredFileChange["before"]): boolean {
  const is = heldBefore(content);
  if (is === null || is === "unknown" || held === null || held === "unknown") return is === held;
  return is.sha256 === held.sha256;
}

type ContentDigest = StoredFileChange["after"];

export function contentDigest(content: Uint8Array | null): ContentDigest {
  return content === null ? null : { sha256: Bun.SHA256.hash(content, "hex"), sizeBytes: content.length };
}
