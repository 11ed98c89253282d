import type { Spawn } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { shellTool } from "./shell.ts";

test.each([
  { input: {}, seconds: 120 },
  { input: { timeoutSeconds: 600 }, seconds: 600 },
])("shell runs a command for the given timeout, two minutes by default: %o", async ({ input, seconds }) => {
  const given: number[] = [];
  const spawn: Spawn = {
    start: async () => ({ kind: "failed", reason: "not-installed" }),
    run: async (_program, _args, { timeoutMs }) => {
      given.push(timeoutMs);
      return { kind: "failed", reason: "timeout" };
    },
  };
  const call = { conversationId: "c", cwd: "/work", signal: new AbortController().signal };

  const ran = Promise.resolve(shellTool(spawn).execute({ command: "sleep 1000", ...input }, call));

  expect(await ran.catch((error: unknown) => error)).toEqual(new Error(`[killed after ${seconds} s]`));
  expect(given).toEqual([seconds * 1_000]);
});

test("shell starts nothing for an aborted call", async () => {
  let starts = 0;
  const spawn: Spawn = {
    start: async () => ({ kind: "failed", reason: "not-installed" }),
    run: async () => {
      starts += 1;
      return { kind: "failed", reason: "aborted" };
    },
  };
  const call = { conversationId: "c", cwd: "/work", signal: AbortSignal.abort(new Error("enough")) };

  const ran = Promise.resolve(shellTool(spawn).execute({ command: "true" }, call));

  expect(await ran.catch((error: unknown) => error)).toEqual(new Error("enough"));
  expect(starts).toBe(0);
});

const realSpawn: Spawn = {
  start: async () => ({ kind: "failed", reason: "not-installed" }),
  run: async (program, args, { cwd }) => {
    const child = Bun.spawn([program, ...args], { cwd, stdout: "pipe", stderr: "ignore" });
    const stdout = await new Response(child.stdout).bytes();
    return { kind: "exited", exitCode: await child.exited, stdout, stderr: new Uint8Array() };
  },
};

test("[attack:process-bare-repository] shell starts no program configured by a bare repository in the folder", async () => {
  await using folder = await createTempFolder();
  const inside = join(folder.path, "package");
  const marker = join(folder.path, "ran");
  const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch '${marker}'; false"\n`;
  await Bun.write(join(inside, "HEAD"), "ref: refs/heads/main\n");
  await Bun.write(join(inside, "config"), config);
  await Bun.write(join(inside, "objects/x"), "");
  await Bun.write(join(inside, "refs/x"), "");
  await Bun.spawn(["git", "init", "-q", folder.path]).exited;
  const call = { conversationId: "c", cwd: inside, signal: new AbortController().signal };

  await Bun.spawn(["git", "status", "-s"], { cwd: inside, stdout: "ignore", stderr: "ignore" }).exited;
  const isTried = await Bun.file(marker).exists();
  await rm(marker, { force: true });
  const printed = await shellTool(realSpawn).execute({ command: "git status -s; git -C .. config --list" }, call);

  expect(isTried).toBe(true);
  expect(printed).toContain("cannot use bare repository");
  expect(printed).toContain("safe.barerepository=explicit");
  expect(await Bun.file(marker).exists()).toBe(false);
});
