import { readFileSync } from "node:fs";
import { toArrayBuffer } from "bun:ffi";
import { openLibc } from "./libc.ts";

// sys/prctl.h
const setDumpable = 4;
/** Indexes of `env_start` and `env_end` among the fields of /proc/PID/stat after the program's name. */
const firstField = 3;
const [envStart, envEnd] = [50 - firstField, 51 - firstField];
const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/;

/**
 * Overwrites secret variables in /proc/PID/environ and makes the process non-dumpable, which denies other processes of
 * the same user its environment, memory and open files. Linux only. `process.env` loses the values of `names`.
 */
export function hideProcess(names: readonly string[]): void {
  const libc = openLibc();
  if (libc === undefined) return;
  const block = environmentBlock();
  // One character per byte, so that offsets are byte offsets.
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

/** Writes change what the system shows. */
function environmentBlock(): Buffer {
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [start, end] = [Number(fields[envStart]), Number(fields[envEnd])];
  if (!(start > 0 && end > start)) return Buffer.alloc(0);
  return Buffer.from(toArrayBuffer(start, 0, end - start));
}
