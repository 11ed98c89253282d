import type { Spawn } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { shellTool } from "./shell.ts";

test.each([
  { input: {}, seconds: 120 },
  { input: { timeoutSeconds: 600 }, seconds: 600 },
])("shell gives a command as long as it is told, and two minutes else: %o", async ({ input, seconds }) => {
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

test("shell starts nothing for a call that was stopped before", async () => {
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
