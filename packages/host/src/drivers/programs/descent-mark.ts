import { readFileSync } from "node:fs";
import { ptr } from "bun:ffi";
import type { Libc } from "./libc.ts";

// asm-generic/resource.h: the kernel has not looked at it since 2.4.25, and hands it down like every limit.
const limitOfLocks = 10;
const mostWithoutLimit = 2 ** 52;

/**
 * A number that programs of this host are told by, and all that they start, whoever becomes their parent: a limit that means
 * nothing, which the kernel hands down, no variable or name can hide, and nobody can raise again without privileges.
 */
export function newDescentMark(): number {
  const hard = /^Max file locks +\S+ +(\d+)/m.exec(limits())?.[1];
  // Below the limit of this process, which may be a program of another host.
  const most = Math.min(mostWithoutLimit, Number(hard ?? mostWithoutLimit));
  return Math.floor(most * (0.5 + Math.random() / 2));
}

/** Marks this process, and what it will start; `false`: it cannot be marked. */
export function takeDescentMark(libc: Libc, mark: number): boolean {
  const limit = new BigUint64Array([BigInt(mark), BigInt(mark)]);
  return libc.setrlimit(limitOfLocks, ptr(limit)) === 0;
}

function limits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
