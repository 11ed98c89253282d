import { chmodSync, closeSync, existsSync, openSync } from "node:fs";

/** SQLite makes its files as the process may (`umask`), and what is beside one like that one. */
const parts = ["", "-wal", "-shm"] as const;

/** Makes a database's file, and those beside it, for its owner alone, before anything is written to it. @throws the system's error. */
export function makePrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  // An older host, a copy or a backup may have left them wider.
  for (const part of parts) if (existsSync(`${path}${part}`)) chmodSync(`${path}${part}`, 0o600);
}
