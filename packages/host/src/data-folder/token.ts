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

/**
 * The token of the folder's host, made once. It appears whole or not at all, whoever else looks or makes one meanwhile,
 * and only its owner can read it.
 */
export function readOrCreateToken(folder: string): string {
  const file = join(folder, "token");
  if (!existsSync(file)) createToken(file);
  chmodSync(file, 0o600); // A copy or a restored backup may have come without its mode.
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
    if (!existsSync(file)) throw error; // Otherwise another process was first, and its token holds.
  } finally {
    closeSync(handle);
    rmSync(draft, { force: true });
  }
  // Whoever is told the token has it after a loss of power: with another one, all that was made with it is revoked.
  syncFolder(dirname(file));
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
