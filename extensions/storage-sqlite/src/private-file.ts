import { chmodSync, closeSync, existsSync, openSync } from "node:fs";

/** SQLite creates the file with the process umask, and the others with the file's mode. */
const parts = ["", "-wal", "-shm"] as const;

/**
 * Call before anything is written.
 * @throws the system's error.
 */
export function makePrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  // An older host, a copy or a backup may have wider permissions.
  for (const part of parts) if (existsSync(`${path}${part}`)) chmodSync(`${path}${part}`, 0o600);
}
