import * as z from "zod";
import { errorMessage } from "../failures/error-message.ts";
import type { Manifest } from "../contract/extension.ts";
import { KernelError } from "../failures/kernel-error.ts";
import type { Storage, StorageWrite } from "../contract/storage.ts";

/** What has to be written, so that what the version before has stored is as this one stores it. */
export type Migration = (storage: Storage) => Promise<readonly StorageWrite[]>;

export interface MigrateStorageOptions {
  /** Manifest of the extension. */
  readonly manifest: Pick<Manifest, "id" | "version">;
  /** The first makes version 2 of what was stored before there were versions, which is 1; each later one the next. */
  readonly migrations: readonly Migration[];
  /** Called once before the first of them; when it rejects, nothing is changed. Absent: no copy is made. */
  readonly backUp?: () => Promise<void>;
}

const key = "schema";
const schema = z.object({
  version: z.int().positive(),
  /** Version of the extension that wrote it. */
  writtenBy: z.string(),
});

/**
 * Brings a namespace to the newest version before anything else is read from it. Its version is under the key `schema`. Each
 * migration is one transaction: it is there with its version, or not at all.
 * @throws {KernelError} `SCHEMA_NEWER`, `MIGRATION_FAILED`; the data is as it was then, or as the last migration that succeeded
 *   left it.
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
    const message = `Cannot start "${extension}" ${writtenBy}: what is stored was written by its version ${stored.value.writtenBy} (schema ${version}), and this one knows schema ${newest}; update the host, or put back the backup from before that update. Nothing was changed`;
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
      if (result.kind === "conflict")
        throw new Error("somebody else has changed it meanwhile; start the host again");
      check = result.version;
    }
  } catch (cause) {
    const message = `Cannot bring what "${extension}" has stored from schema ${version} to ${newest}: ${errorMessage(cause)}; it was left as it was`;
    throw new KernelError("MIGRATION_FAILED", message, { extension, cause });
  }
}
