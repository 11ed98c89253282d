import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { incipit, testedCommand, type CommandResult } from "../support/host-process.ts";

async function runInDeletedFolder(args: readonly string[]): Promise<CommandResult> {
  await using folder = await createTempFolder();
  const cwd = join(folder.path, "gone");
  await mkdir(cwd);
  const command = ["sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", ...testedCommand];
  return await incipit(args, { cwd, home: folder.path, command });
}

test("every command reports a deleted working folder in one line", async () => {
  // The compiled command does not start: Bun reports it first.
  const commands = [["conversations"], ["hello"], ["serve"], ["acp"], ["doctor"], ["setup"], ["audit"]];
  for (const args of commands) {
    const { exitCode, stdout, stderr } = await runInDeletedFolder(args);

    expect([exitCode, stdout, stderr.trimEnd().split("\n")]).toEqual([1, "", [expect.stringMatching(/\bcd\b/)]]);
  }
}, 60_000);
