import { closeSync, constants, openSync, readSync } from "node:fs";

/** More than a terminal keeps for a program that does not read. */
const maxReads = 64;

/** Takes what was typed and not read yet. The terminal has to be in raw mode: else a line without its end would stay. */
export function takeTyped(): Uint8Array {
  let fd: number;
  try {
    // Its own opening of it: the one that the process was given may be shared, and has to go on waiting for input.
    fd = openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return new Uint8Array(); // It is not the process's own terminal: what was typed comes as input.
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
    // Nothing is left.
  } finally {
    closeSync(fd);
  }
  return Buffer.concat(parts);
}
