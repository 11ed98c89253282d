import { ptr } from "bun:ffi";
import { constants, readdirSync } from "node:fs";
import { join } from "node:path";
import { cText, type Libc } from "./libc.ts";

// linux/landlock.h; the numbers are the same on all architectures.
const createRuleset = 444;
const addRule = 445;
const restrictSelf = 446;
const versionFlag = 1;
const pathBeneath = 1;
const rightsOfFirst = 13;
/** Versions that added one right each: refer, truncate, ioctl_dev. */
const versionsWithRight = [2, 3, 5] as const;
/** execute, write_file, read_file, truncate, ioctl_dev: the rights that apply to files. */
const fileRights = 0b1100_0000_0000_0111n;
const readFolder = 0b1000n;
const openPath = 0o10_000_000 | 0o2_000_000; // O_PATH | O_CLOEXEC

/** Returns 0 without Landlock. */
export function landlockVersion(libc: Libc): number {
  return Math.max(0, Number(libc.syscall(createRuleset, 0, 0, versionFlag, 0)));
}

/**
 * Applies to this thread and its descendants, as does the denial of access to other processes' memory. A folder that
 * contains a closed one can only be listed, not get new entries.
 */
export function closeFolders(libc: Libc, closed: readonly string[]): boolean {
  const version = landlockVersion(libc);
  if (version === 0) return false;
  const count = rightsOfFirst + versionsWithRight.filter((since) => since <= version).length;
  const rights = (1n << BigInt(count)) - 1n;
  const handled = new BigUint64Array([rights]);
  const ruleset = Number(libc.syscall(createRuleset, ptr(handled), handled.byteLength, 0, 0));
  const allow = (path: string, allowed: bigint): void => {
    const name = cText(path);
    const handle = libc.open(ptr(name), openPath | constants.O_NOFOLLOW);
    if (handle < 0) return;
    const rule = new DataView(new ArrayBuffer(12)); // Packed struct: the rights, then the handle.
    rule.setBigUint64(0, allowed & rights, true);
    rule.setInt32(8, handle, true);
    libc.syscall(addRule, ruleset, pathBeneath, ptr(rule), 0);
    libc.close(handle);
  };
  const allowAround = (folder: string): void => {
    if (!closed.some((path) => isBelow(path, folder))) {
      allow(folder, rights);
      return;
    }
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      // Landlock applies to the target of a link.
      if (closed.includes(path) || entry.isSymbolicLink()) continue;
      if (entry.isDirectory()) allowAround(path);
      else allow(path, fileRights);
    }
  };
  allow("/", readFolder);
  allowAround("/");
  const isRestricted = libc.syscall(restrictSelf, ruleset, 0, 0, 0);
  libc.close(ruleset);
  return Number(isRestricted) === 0;
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder === "/" ? folder : `${folder}/`);
}

function entriesOf(folder: string): ReturnType<typeof readFolderEntries> {
  try {
    return readFolderEntries(folder);
  } catch {
    return [];
  }
}

function readFolderEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}
