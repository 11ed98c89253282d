import { expect, test } from "bun:test";
import { read } from "bun:ffi";
import { closeFolders, landlockVersion } from "./landlock.ts";
import { openLibc, type Libc } from "./libc.ts";

const system = openLibc();
const createRuleset = 444;

/** Accepts no rules. */
function kernelOf(version: number): { readonly libc: Libc; readonly asked: bigint[] } {
  if (system === undefined) throw new Error("There is no Linux below");
  const asked: bigint[] = [];
  const syscall = new Proxy(system.syscall, {
    apply(_target, _this, [number, attributes = 0, , flags]: readonly (number | bigint)[]) {
      if (number !== createRuleset) return -1n;
      if (flags === 1) return BigInt(version);
      asked.push(read.u64(attributes));
      return -1n;
    },
  });
  return { libc: { ...system, syscall }, asked };
}

test.skipIf(system === undefined)(
  "closeFolders requests exactly the rights of the kernel's Landlock version",
  () => {
    // linux/landlock.h: refer came with version 2, truncate with 3, ioctl_dev with 5.
    for (const [version, rights] of [
      [1, 0x1fffn],
      [2, 0x3fffn],
      [3, 0x7fffn],
      [4, 0x7fffn],
      [5, 0xffffn],
      [6, 0xffffn],
      [9, 0xffffn],
    ] as const) {
      const { libc, asked } = kernelOf(version);
      expect([closeFolders(libc, []), asked]).toEqual([false, [rights]]);
    }
  },
);

test.skipIf(system === undefined)("closeFolders returns false on a kernel without Landlock", () => {
  const { libc, asked } = kernelOf(-1);

  expect([landlockVersion(libc), closeFolders(libc, []), asked]).toEqual([0, false, []]);
});
