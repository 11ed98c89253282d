import { makeFolders, syncFolder, writeFailure, writeSynced } from "@incipit/host/data-folder";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, linkSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Atomic, readable only by the user, durable across power loss. Follows links and keeps the mode of an existing file.
 */
export function writeAtomically(file: string, text: string): void {
  const target = isThere(file) ? realpathSync(file) : file;
  const whole = besides(target, text);
  try {
    if (isThere(target)) chmodSync(whole, statSync(target).mode & 0o777);
    renameSync(whole, target);
  } finally {
    rmSync(whole, { force: true });
  }
  syncFolder(dirname(target));
}

export function writeNew(file: string, text: string): void {
  const whole = besides(file, text);
  try {
    linkSync(whole, file);
  } finally {
    rmSync(whole, { force: true });
  }
  syncFolder(dirname(file));
}

export function backUp(file: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const old = `${file}.old-${time}`;
  writeSynced(old, readFileSync(file), { flag: "wx", mode: 0o600 });
  syncFolder(dirname(old));
  return old;
}

/** Treats inaccessible files as absent; the write reports the error. */
export function isThere(file: string): boolean {
  return existsSync(file);
}

function besides(target: string, text: string): string {
  const whole = `${target}.${randomUUID()}.new`;
  try {
    makeFolders(dirname(target), { mode: 0o700 });
    writeSynced(whole, text, { flag: "wx", mode: 0o600 });
  } catch (cause) {
    if (isThere(whole)) rmSync(whole);
    throw new Error(`Cannot write "${target}": ${writeFailure(cause, "take another file (--config FILE)")}`, {
      cause,
    });
  }
  return whole;
}
