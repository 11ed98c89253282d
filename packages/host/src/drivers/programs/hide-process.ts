import { readFileSync } from "node:fs";
import { toArrayBuffer } from "bun:ffi";
import { openLibc } from "./libc.ts";

// sys/prctl.h
const setDumpable = 4;
/** `env_start` and `env_end` among the fields of /proc/PID/stat that follow the program's name. */
const firstField = 3;
const [envStart, envEnd] = [50 - firstField, 51 - firstField];
/** Name of a variable that nobody has configured, but that holds a secret of something else. */
const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/;

/**
 * Takes the values of secret variables from where the system shows those of a process (/proc/PID/environ), and closes the
 * process to others of the same user: its variables, its memory, what it holds open. Nothing where there is no Linux below.
 * Whoever needs the values has taken them before: `process.env` has those that are named here no more.
 */
export function hideProcess(names: readonly string[]): void {
  const libc = openLibc();
  if (libc === undefined) return;
  const block = environmentBlock();
  // Byte for byte a character, so that the places are those of the bytes.
  const text = block.toString("latin1");
  let at = 0;
  for (const entry of text.split("\0")) {
    const valueAt = entry.indexOf("=") + 1;
    const name = entry.slice(0, valueAt - 1);
    if (names.includes(name) || secretName.test(name)) block.fill(0, at + valueAt, at + entry.length);
    at += entry.length + 1;
  }
  libc.prctl(setDumpable, 0, 0, 0, 0);
  for (const name of names) delete process.env[name];
}

/** What the system shows of this process, where it lies: to write there is to change it. */
function environmentBlock(): Buffer {
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [start, end] = [Number(fields[envStart]), Number(fields[envEnd])];
  if (!(start > 0 && end > start)) return Buffer.alloc(0);
  return Buffer.from(toArrayBuffer(start, 0, end - start));
}
