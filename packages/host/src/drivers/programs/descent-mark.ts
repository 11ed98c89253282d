import { readFileSync } from "node:fs";
import { ptr } from "bun:ffi";
import type { Libc } from "./libc.ts";

// asm-generic/resource.h: RLIMIT_LOCKS, ignored by the kernel since 2.4.25 but inherited like every limit.
const limitOfLocks = 10;
const mostWithoutLimit = 2 ** 52;

/**
 * A resource limit without effect: the kernel passes it on to descendants, even after reparenting, no variable or name
 * can hide it, and raising it again takes privileges.
 */
export function newDescentMark(): number {
  const hard = /^Max file locks +\S+ +(\d+)/m.exec(limits())?.[1];
  // This process may itself be a program of another host.
  const most = Math.min(mostWithoutLimit, Number(hard ?? mostWithoutLimit));
  return Math.floor(most * (0.5 + Math.random() / 2));
}

export function setDescentMark(libc: Libc, mark: number): boolean {
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
