import type { RunningProgram } from "@incipit/kernel";
import { createTempFolder, FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { createSpawn } from "./spawn.ts";

async function start(script: string, clock = systemClock, cwd = "/"): Promise<RunningProgram> {
  const spawn = createSpawn("acme.talker", ["sh"], { clock, env: process.env });
  const started = await spawn.start("sh", ["-c", script], { cwd, env: { EXTRA: "1" } });
  if (started.kind === "failed") throw new Error(started.detail);
  return started.program;
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  return text;
}

async function isRunning(pid: number): Promise<boolean> {
  const stat = await Bun.file(`/proc/${pid}/stat`)
    .text()
    .catch(() => "");
  return stat !== "" && !/\) Z /.test(stat);
}

async function ended(pid: number): Promise<void> {
  while (await isRunning(pid)) await Bun.sleep(5);
}

test("start returns a program that reads input and sees its end on stop", async () => {
  const program = await start('echo "$EXTRA" >&2; while read -r line; do echo "got $line"; done; echo bye');

  await program.write(new TextEncoder().encode("one\ntwo\n"));
  const output = Promise.all([textOf(program.stdout), textOf(program.stderr)]);
  await program.stop();

  expect(await output).toEqual(["got one\ngot two\nbye\n", "1\n"]);
  expect(await program.ended).toEqual({ exitCode: 0, signal: null });
});

test("start reports why a program does not run and refuses one outside the grant", async () => {
  const spawn = createSpawn("acme.talker", ["sh", "no-such-program"], { clock: systemClock, env: process.env });

  const missing = await spawn.start("no-such-program", [], { cwd: "/" });
  const nowhere = await spawn.start("sh", [], { cwd: "/no/such/folder" });
  const refused = await spawn.start("git", [], { cwd: "/" }).catch((error: unknown) => error);

  expect([missing, nowhere]).toMatchObject([{ reason: "not-installed" }, { reason: "cwd-not-found" }]);
  expect(refused).toMatchObject({ code: "CAPABILITY_DENIED", message: expect.stringContaining('"sh"') });
});

test("start reports a file that the system cannot run", async () => {
  await using folder = await createTempFolder();
  const file = join(folder.path, "tool");
  await Bun.write(file, "no program");
  const spawn = createSpawn("acme.talker", [file], { clock: systemClock, env: process.env });

  expect(await spawn.start(file, [], { cwd: "/" })).toMatchObject({ kind: "failed", reason: "not-installed" });
});

test("stop kills an unresponsive program and its descendants", async () => {
  await using folder = await createTempFolder();
  const clock = new FakeClock();
  const script = "trap '' TERM; sleep 1000 & echo $!; while :; do sleep 1; done";
  const program = await start(script, clock, folder.path);
  const reader = program.stdout[Symbol.asyncIterator]();
  const grandchild = Number(new TextDecoder().decode((await reader.next()).value));

  const stopped = program.stop();
  await clock.advance(700);
  await clock.advance(700);
  await stopped;

  expect(await program.ended).toEqual({ exitCode: null, signal: "SIGKILL" });
  await ended(grandchild);
});

test("stop sends SIGTERM to the whole group before it kills", async () => {
  const clock = new FakeClock();
  const program = await start("trap 'echo asked; exit 3' TERM; echo ready; while :; do sleep 0.01; done", clock);
  const reader = program.stdout[Symbol.asyncIterator]();
  await reader.next();

  const stopped = program.stop();
  await clock.advance(700);
  await stopped;

  expect(new TextDecoder().decode((await reader.next()).value)).toBe("asked\n");
  expect(await program.ended).toEqual({ exitCode: 3, signal: null });
});

test("ended kills leftovers of the program", async () => {
  const program = await start("sleep 1000 & echo $!");

  const grandchild = Number(await textOf(program.stdout));

  expect(await program.ended).toEqual({ exitCode: 0, signal: null });
  await ended(grandchild);
});

test("stdout applies backpressure and closes when the reader stops", async () => {
  await using folder = await createTempFolder();
  const program = await start("head -c 50000000 /dev/zero; echo $? > printed", systemClock, folder.path);
  let takenBytes = 0;

  for await (const chunk of program.stdout) {
    takenBytes += chunk.length;
    break;
  }

  await program.ended;
  expect(takenBytes).toBeLessThan(1_000_000);
  expect(await Bun.file(join(folder.path, "printed")).text()).not.toBe("0\n");
});

test("write waits for a slow reader and rejects once the program has ended", async () => {
  const program = await start("sleep 1000");
  const refused = program.write(new Uint8Array(50_000_000)).catch((error: unknown) => error);

  await program.stop();

  expect(await refused).toBeInstanceOf(Error);
  expect(await program.write(new Uint8Array(1)).catch((error: unknown) => error)).toBeInstanceOf(Error);
});
