import type { Spawn } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { hasProgramsOutside } from "./programs-outside.ts";

function spawnWith(path: string): Spawn {
  return {
    start: async () => ({ kind: "failed", reason: "not-installed" }),
    run: async (program, args, { cwd }) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...args], { cwd, env: { PATH: path } });
      return { kind: "exited", exitCode, stdout, stderr };
    },
  };
}

test("[attack:process-allowed-command-shadowed] hasProgramsOutside detects a program in the working folder, also through a link", async () => {
  await using folder = await createTempFolder();
  const work = join(folder.path, "work");
  const bin = join(work, "bin");
  await mkdir(bin, { recursive: true });
  await Bun.write(join(bin, "ls"), "#!/bin/sh\n");
  await chmod(join(bin, "ls"), 0o755);
  await symlink(bin, join(folder.path, "link"));
  const system = process.env["PATH"] ?? "";
  const { signal } = new AbortController();
  const isOutside = (command: string, path: string, patterns = ["ls:*", "cat:*"]): Promise<boolean> =>
    hasProgramsOutside(command, { patterns, spawn: spawnWith(path), cwd: work, signal });

  expect(await isOutside("ls -a | cat", system)).toBe(true);
  expect(await isOutside("echo a", system)).toBe(true);
  expect(await isOutside("cat a", `${bin}:${system}`)).toBe(true);
  for (const first of [bin, join(folder.path, "link"), join(work, "../work/bin")])
    expect([first, await isOutside("cat a && ls", `${first}:${system}`)]).toEqual([first, false]);
  expect(await isOutside("no-such-program", system)).toBe(false);
  // The exact command was shown to the user.
  expect(await isOutside("ls", `${bin}:${system}`, ["ls"])).toBe(true);
});
