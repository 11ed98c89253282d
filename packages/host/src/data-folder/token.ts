import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { syncFolder } from "../disk/sync-folder.ts";

const tokenPattern = /^[\w-]{16,}$/;

/** Atomic under concurrency; readable by the owner only. */
export function readOrCreateToken(folder: string): string {
  const file = join(folder, "token");
  if (!existsSync(file)) createToken(file);
  chmodSync(file, 0o600); // A copy or restored backup may have lost its mode.
  const token = readFileSync(file, "utf8").trim();
  if (!tokenPattern.test(token))
    throw new Error(`The token in "${file}" is damaged; delete the file, and a new one is made`);
  return token;
}

function createToken(file: string): void {
  const draft = `${file}.${process.pid}.${randomBytes(4).toHex()}`;
  const handle = openSync(draft, "wx", 0o600);
  try {
    writeSync(handle, `${randomBytes(32).toBase64({ alphabet: "base64url", omitPadding: true })}\n`);
    fsyncSync(handle);
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error; // Otherwise another process was first, and its token counts.
  } finally {
    closeSync(handle);
    rmSync(draft, { force: true });
  }
  // A new token after a power loss would revoke all tokens created under it.
  syncFolder(dirname(file));
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
