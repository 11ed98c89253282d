import { sha256Hex } from "@incipit/common";
import { isInside } from "@incipit/common/system";
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { errorCode, errorMessage } from "../failures/error-code.ts";

/** Read once, so that the checked content is the content used. */
export type FolderFile =
  | { readonly kind: "absent" }
  /** Contains nothing of the file's content. */
  | { readonly kind: "refused"; readonly reason: string }
  | {
      readonly kind: "read";
      readonly path: string;
      readonly bytes: Uint8Array;
      readonly sha256: string;
      readonly identity: string;
    };

/** `folder` is absolute, links resolved. */
export function readFolderFile(
  folder: string,
  { name, maxBytes }: { readonly name: string; readonly maxBytes: number },
): FolderFile {
  let path: string;
  try {
    path = realpathSync(join(folder, name));
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" || code === "ENOTDIR" ? { kind: "absent" } : refused(errorMessage(error));
  }
  // Otherwise the sender of a folder could pass off any file of the user as its own.
  if (!isInside(path, folder)) return refused("it is a link to a place outside the folder");
  let handle: number;
  try {
    // Opening a pipe without a writer would block.
    handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return refused(errorMessage(error));
  }
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) return refused("it is not a regular file");
    const bytes = readUpTo(handle, maxBytes + 1);
    if (bytes.length > maxBytes) return refused(`it is larger than ${maxBytes} bytes`);
    const sha256 = sha256Hex(bytes);
    return { kind: "read", path, bytes, sha256, identity: `${stat.dev}:${stat.ino}` };
  } catch (error) {
    return refused(errorMessage(error));
  } finally {
    closeSync(handle);
  }
}

function refused(reason: string): FolderFile {
  return { kind: "refused", reason };
}

function readUpTo(handle: number, maxBytes: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  while (left > 0) {
    const chunk = new Uint8Array(Math.min(left, 65_536));
    const count = readSync(handle, chunk);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    left -= count;
  }
  return Buffer.concat(chunks);
}
