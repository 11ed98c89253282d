import type { Conversation } from "@incipit/schema";
import { expect, test } from "bun:test";
import { spawnIncipit, type CommandResult, type HostProcess } from "../support/host-process.ts";
import { World } from "../support/world.ts";

async function startWorld() {
  const world = await World.start({ config: "tools.workspace = true" });
  const host: HostProcess = await world.host();
  const { id } = await host.createConversation();
  return {
    world,
    model: world.model,
    host,
    id,
    run: (...args: readonly string[]): Promise<CommandResult> => world.run(args),
    send: (input: string) => host.send(id, input),
    async until(holds: (conversation: Conversation) => boolean): Promise<void> {
      while (!holds(await host.conversation(id))) await host.json("/health");
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

function seenOn(stream: ReadableStream<Uint8Array>): { until(text: string): Promise<void> } {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let seen = "";
  return {
    async until(text) {
      while (!seen.includes(text)) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`It ended without ${JSON.stringify(text)}: ${seen}`);
        seen += decoder.decode(value, { stream: true });
      }
    },
  };
}

test("incipit approve shows pending calls and answers them while the task continues in the host", async () => {
  await using running = await startWorld();
  running.model.enqueueCall("write_file", { path: "a.txt", content: "hello" });
  running.model.enqueueText("Done");
  await running.send("Write it");
  await running.until(({ approvals }) => approvals.length === 1);

  const shown = await running.run("approve", running.id);
  const wrong = await running.run("approve", running.id, "alow");
  const unknown = await running.run("approve", running.id, "allow", "zzz");
  const allowed = await running.run("approve", "-c", "allow");
  await running.until(({ status }) => status === "idle");
  const none = await running.run("approve", running.id);
  const late = await running.run("approve", running.id, "allow");

  expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("content: hello") });
  expect(shown.stderr).toContain(`Allow it:\nincipit approve ${running.id.slice(0, 13)} allow `);
  expect(wrong).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('takes no "alow"; did you mean "allow"?\n'),
  });
  expect(unknown).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Name one of the waiting calls"),
  });
  expect(allowed).toMatchObject({ exitCode: 0, stdout: 'Allowed "write_file"\n' });
  expect(await running.world.read("a.txt")).toBe("hello");
  expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: expect.stringContaining("No call waits") });
  expect(late.exitCode).toBe(2);
}, 60_000);

test("incipit queue lists and removes queued messages, and stop ends the running turn", async () => {
  await using running = await startWorld();
  running.model.enqueue({ kind: "never" });
  await running.send("First");
  await running.model.waitForRequests(1);
  await running.send("Second\nof two lines");

  const listed = await running.run("queue", running.id);
  const turnId = /^ {2}1 {2}(\S+) {2}Second/.exec(listed.stdout)?.[1] ?? "";
  const removed = await running.run("queue", running.id, "remove", turnId);
  const wrong = await running.run("queue", running.id, "remove");
  const stopped = await running.run("stop", running.id);
  await running.until(({ status }) => status === "idle");
  const idle = await running.run("stop", running.id, "--json");
  const nobody = await running.run("stop");
  const stray = await running.run("stop", running.id, "now");

  expect(turnId).not.toBe("");
  expect(removed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("No message is queued") });
  expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("remove TURN") });
  expect(stopped).toMatchObject({ exitCode: 0, stdout: `Stopped ${running.id}\n` });
  expect(JSON.parse(idle.stdout)).toEqual({ stopped: false });
  expect(nobody).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("incipit stop ID") });
  expect(stray).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no "now"') });
}, 60_000);

test("incipit follow shows other clients' turns until Ctrl-C, which stops none; compact compacts", async () => {
  await using running = await startWorld();
  running.model.enqueue(
    { kind: "text", chunks: ["One ", "two"], gate: true },
    { kind: "text", chunks: ["In short"] },
  );
  const { work: cwd, home } = running.world;
  const follow = (): Bun.Subprocess<"ignore", "pipe", "pipe"> =>
    spawnIncipit(["follow", running.id], "ignore", { cwd, home });
  const child = follow();
  const errors = seenOn(child.stderr);
  const answer = seenOn(child.stdout);
  await errors.until("Following");
  await running.send("Count");
  await running.model.waitForRequests(1);
  running.model.release();
  running.model.release();
  await answer.until("One");
  await using late = follow();
  await seenOn(late.stdout).until("One");
  child.kill("SIGINT");
  const exitCode = await child.exited;
  const still = await running.host.conversation(running.id);
  for (let count = 0; count < 4; count += 1) running.model.release();
  await running.until(({ status }) => status === "idle");
  const compacted = await running.run("compact", running.id);

  expect(exitCode).toBe(0);
  expect(still.status).toBe("running");
  await errors.until("> Count");
  expect(compacted).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("In short") });
  expect(compacted.stderr).toContain("(epoch 2)");
}, 60_000);

test("incipit follow reports that no host is running", async () => {
  await using world = await World.start();
  const done = await world.run(["Hello"]);
  const id = /-s (\S+)/.exec(done.stderr)?.[1] ?? "";

  const followed = await world.run(["follow", id]);

  expect(followed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("incipit serve") });
}, 60_000);
