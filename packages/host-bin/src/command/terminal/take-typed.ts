import { closeSync, constants, openSync, readSync } from "node:fs";

/** Above the buffer that terminals keep for a program that does not read. */
const maxReads = 64;

/** Requires raw mode: otherwise an unfinished line would stay. */
export function takeTyped(): Uint8Array {
  let fd: number;
  try {
    // The inherited descriptor may be shared and must stay blocking.
    fd = openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return new Uint8Array(); // Not a controlling terminal; typed text arrives on stdin.
  }
  const parts: Uint8Array[] = [];
  try {
    for (let reads = 0; reads < maxReads; reads += 1) {
      const buffer = new Uint8Array(4_096);
      const size = readSync(fd, buffer);
      if (size === 0) break;
      parts.push(buffer.subarray(0, size));
    }
  } catch {
    // Nothing pending.
  } finally {
    closeSync(fd);
  }
  return Buffer.concat(parts);
}
