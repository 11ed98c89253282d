import * as z from "zod";
import { errorMessage } from "../failures/error-message.ts";
import type { Manifest } from "../contract/extension.ts";
import { KernelError } from "../failures/kernel-error.ts";
import type { Storage, StorageWrite } from "../contract/storage.ts";

/** Returns the writes that convert data from the previous version. */
export type Migration = (storage: Storage) => Promise<readonly StorageWrite[]>;

export interface MigrateStorageOptions {
  readonly manifest: Pick<Manifest, "id" | "version">;
  /** The first leads from version 1, data without a version, to version 2. */
  readonly migrations: readonly Migration[];
  /** Called before the first migration; nothing is changed when it rejects. Absent: no backup. */
  readonly backUp?: () => Promise<void>;
}

const key = "schema";
const schema = z.object({
  version: z.int().positive(),
  writtenBy: z.string(),
});

/**
 * Migrates a namespace to the newest version; call it before any other read. The version is stored under the key
 * `schema`, in one transaction with its migration.
 *
 * @throws {KernelError} `SCHEMA_NEWER`, `MIGRATION_FAILED`; migrations that completed before stay.
 */
export async function migrateStorage(
  storage: Storage,
  { manifest, migrations, backUp }: MigrateStorageOptions,
): Promise<void> {
  const { id: extension, version: writtenBy } = manifest;
  const newest = migrations.length + 1;
  const stored = await storage.getVersioned(key, schema);
  const version = stored?.value.version ?? 1;
  if (stored !== undefined && version > newest) {
    const message = `Cannot start "${extension}" ${writtenBy}: its data was written by version ${stored.value.writtenBy} (schema ${version}), and this version supports schema ${newest}; update the host, or restore a backup from before that update. Nothing was changed`;
    throw new KernelError("SCHEMA_NEWER", message, { extension });
  }
  if (version === newest) return;
  const isEmpty = stored === undefined && (await storage.list({ limit: 1 }, z.unknown())).length === 0;
  const pending = isEmpty ? [async () => []] : migrations.slice(version - 1);
  let check = stored?.version ?? null;
  try {
    if (!isEmpty) await backUp?.();
    for (const [index, migrate] of pending.entries()) {
      const reached = isEmpty ? newest : version + index + 1;
      const write = { kind: "set", key, value: { version: reached, writtenBy } } as const;
      const result = await storage.atomic([{ key, version: check }], [...(await migrate(storage)), write]);
      if (result.kind === "conflict") throw new Error("it was changed concurrently; restart the host");
      check = result.version;
    }
  } catch (cause) {
    const message = `Cannot migrate the data of "${extension}" from schema ${version} to ${newest}: ${errorMessage(cause)}; the data is unchanged`;
    throw new KernelError("MIGRATION_FAILED", message, { extension, cause });
  }
}
