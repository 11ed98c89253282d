import { makeFolders, syncFolder, writeFailure, writeSynced } from "@incipit/host/data-folder";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  constants,
  existsSync,
  linkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";

/**
 * Writes a file of the user's own, for nobody else to read: whole or not at all. A link goes on leading to its file, and a
 * file that is there keeps its mode. It survives a loss of power once this returns, as what the others here write.
 * @throws when it cannot be written.
 */
export function writeWhole(file: string, text: string): void {
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

/** As `writeWhole`, where nothing is yet. @throws `EEXIST` when somebody was faster, whose file stays. */
export function writeNew(file: string, text: string): void {
  const whole = besides(file, text);
  try {
    linkSync(whole, file);
  } finally {
    rmSync(whole, { force: true });
  }
  syncFolder(dirname(file));
}

/** Keeps what a file says under another name beside it. @returns that name. */
export function keepOld(file: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const old = `${file}.old-${time}`;
  copyFileSync(file, old, constants.COPYFILE_EXCL);
  chmodSync(old, 0o600);
  return old;
}

/** What cannot be looked at cannot be written either, which says why. */
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
