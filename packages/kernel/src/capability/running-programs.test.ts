import { expect, test } from "bun:test";
import type { ProgramEnd, ProgramStart } from "../contract/capabilities.ts";
import { createKernel } from "../lifecycle/create-kernel.ts";
import type { Host } from "../contract/host.ts";
import { drivers, extension, newKernel, refusal } from "../testing/test-kernel.ts";

function startedPrograms(): {
  readonly stopped: string[];
  readonly start: (name: string) => Promise<ProgramStart>;
} {
  const stopped: string[] = [];
  const nothing = async function* (): AsyncGenerator<Uint8Array> {};
  return {
    stopped,
    async start(name) {
      const { promise: ended, resolve } = Promise.withResolvers<ProgramEnd>();
      const stop = async (): Promise<void> => {
        stopped.push(name);
        resolve({ exitCode: 0, signal: null });
      };
      const program = { stdout: nothing(), stderr: nothing(), write: async () => {}, ended, stop };
      return { kind: "started", program };
    },
  };
}

test("host.spawn.start: a program is stopped after the extension's own releases", async () => {
  const { stopped, start } = startedPrograms();
  const spawn = { run: async () => ({ kind: "failed", reason: "failed" }) as const, start };
  const kernel = createKernel({ graceMs: 0, drivers: { ...drivers(), spawn: () => spawn } });
  const talker = extension("acme.talker", { capabilities: { spawn: ["a", "b"] } }, async (host) => {
    const own = await host.spawn.start("a", [], { cwd: "/" });
    await host.spawn.start("b", [], { cwd: "/" });
    host.defer("goodbye", async () => {
      if (own.kind === "started") await own.program.stop();
    });
  });
  await kernel.add([{ extension: talker }]);

  await kernel.unload("acme.talker");

  expect(stopped).toEqual(["a", "b"]);
});

test("host.spawn.start: a program that starts during unload is stopped", async () => {
  const { stopped, start } = startedPrograms();
  const gate = Promise.withResolvers<void>();
  const spawn = {
    run: async () => ({ kind: "failed", reason: "failed" }) as const,
    start: async (name: string): Promise<ProgramStart> => {
      await gate.promise;
      return start(name);
    },
  };
  const kernel = createKernel({ graceMs: 0, drivers: { ...drivers(), spawn: () => spawn } });
  let late: Promise<ProgramStart> | undefined;
  const talker = extension("acme.talker", { capabilities: { spawn: ["a"] } }, (host) => {
    late = host.spawn.start("a", [], { cwd: "/" });
  });
  await kernel.add([{ extension: talker }]);

  await kernel.unload("acme.talker");
  gate.resolve();

  expect(await late).toMatchObject({ kind: "failed", detail: "its extension was unloaded" });
  expect(stopped).toEqual(["a"]);
});

test("host.spawn.start throws without a grant [granted-and-no-more]", async () => {
  let given: Host | undefined;
  await newKernel(extension("acme.talker", {}, (host) => void (given = host)));

  const refused = await refusal(given?.spawn.start("sh", [], { cwd: "/" }) ?? Promise.resolve());

  expect(refused).toMatchObject({ code: "CAPABILITY_DENIED", message: expect.stringContaining('spawn "sh"') });
});
