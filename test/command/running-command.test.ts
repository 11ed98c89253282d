import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess, incipit, testedCommand, type CommandResult } from "../support/host-process.ts";

interface World extends AsyncDisposable {
  readonly cwd: string;
  readonly model: RecordingModelServer;
  readonly host: HostProcess;
  readonly id: string;
  run(...args: readonly string[]): Promise<CommandResult>;
  send(input: string): Promise<void>;
  until(holds: (conversation: Awaited<ReturnType<HostProcess["conversation"]>>) => boolean): Promise<void>;
}

async function newWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const model = stack.use(await startRecordingModelServer());
  const cwd = await realpath(folder.path);
  const options = { data: join(cwd, "data"), config: join(cwd, "incipit.toml"), cwd };
  await Bun.write(
    options.config,
    `model = "local/test"\ntools.workspace = true\nproviders.local = { kind = "openai-compatible", base_url = "${model.url}" }\n`,
  );
  const host = stack.use(await HostProcess.start(options));
  const { id } = await host.createConversation();
  const owned = stack.move();
  return {
    cwd,
    model,
    host,
    id,
    run: (...args) => incipit([...args, "--data", options.data, "--config", options.config], { cwd, home: cwd }),
    async send(input) {
      await host.json(`/conversations/${id}/turns`, { body: { input }, headers: { prefer: "respond-async" } });
    },
    async until(holds) {
      while (!holds(await host.conversation(id))) await host.json("/health");
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
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

const write = { id: "call-1", name: "write_file", arguments: JSON.stringify({ path: "a.txt", content: "hello" }) };

test("incipit approve shows pending calls and answers them while the task continues in the host", async () => {
  await using world = await newWorld();
  world.model.enqueue({ kind: "tool-calls", calls: [write] }, { kind: "text", chunks: ["Done"] });
  await world.send("Write it");
  await world.until(({ approvals }) => approvals.length === 1);

  const shown = await world.run("approve", world.id);
  const wrong = await world.run("approve", world.id, "alow");
  const unknown = await world.run("approve", world.id, "allow", "zzz");
  const allowed = await world.run("approve", "-c", "allow");
  await world.until(({ status }) => status === "idle");
  const none = await world.run("approve", world.id);
  const late = await world.run("approve", world.id, "allow");

  expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("content: hello") });
  expect(shown.stderr).toContain(`Allow it:\nincipit approve ${world.id.slice(0, 13)} allow `);
  expect(wrong).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('takes no "alow"; did you mean "allow"?\n'),
  });
  expect(unknown).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Name one of the waiting calls"),
  });
  expect(allowed).toMatchObject({ exitCode: 0, stdout: 'Allowed "write_file"\n' });
  expect(await Bun.file(join(world.cwd, "a.txt")).text()).toBe("hello");
  expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: expect.stringContaining("No call waits") });
  expect(late.exitCode).toBe(2);
}, 60_000);

test("incipit queue lists and removes queued messages, and stop ends the running turn", async () => {
  await using world = await newWorld();
  world.model.enqueue({ kind: "never" });
  await world.send("First");
  await world.model.waitForRequests(1);
  await world.send("Second\nof two lines");

  const listed = await world.run("queue", world.id);
  const turnId = /^ {2}1 {2}(\S+) {2}Second/.exec(listed.stdout)?.[1] ?? "";
  const removed = await world.run("queue", world.id, "remove", turnId);
  const wrong = await world.run("queue", world.id, "remove");
  const stopped = await world.run("stop", world.id);
  await world.until(({ status }) => status === "idle");
  const idle = await world.run("stop", world.id, "--json");
  const nobody = await world.run("stop");
  const stray = await world.run("stop", world.id, "now");

  expect(turnId).not.toBe("");
  expect(removed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("No message is queued") });
  expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("remove TURN") });
  expect(stopped).toMatchObject({ exitCode: 0, stdout: `Stopped ${world.id}\n` });
  expect(JSON.parse(idle.stdout)).toEqual({ stopped: false });
  expect(nobody).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("incipit stop ID") });
  expect(stray).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no "now"') });
}, 60_000);

test("incipit follow shows other clients' turns until Ctrl-C, which stops none; compact compacts", async () => {
  await using world = await newWorld();
  world.model.enqueue(
    { kind: "text", chunks: ["One ", "two"], gate: true },
    { kind: "text", chunks: ["In short"] },
  );
  const follow = (): Bun.Subprocess<"ignore", "pipe", "pipe"> =>
    Bun.spawn(
      [
        ...testedCommand,
        "follow",
        world.id,
        "--data",
        join(world.cwd, "data"),
        "--config",
        join(world.cwd, "incipit.toml"),
      ],
      {
        cwd: world.cwd,
        env: { PATH: process.env["PATH"] ?? "", HOME: world.cwd },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      },
    );
  const child = follow();
  const errors = seenOn(child.stderr);
  const answer = seenOn(child.stdout);
  await errors.until("Following");
  await world.send("Count");
  await world.model.waitForRequests(1);
  world.model.release();
  world.model.release();
  await answer.until("One");
  await using late = follow();
  await seenOn(late.stdout).until("One");
  child.kill("SIGINT");
  const exitCode = await child.exited;
  const still = await world.host.conversation(world.id);
  for (let count = 0; count < 4; count += 1) world.model.release();
  await world.until(({ status }) => status === "idle");
  const compacted = await world.run("compact", world.id);

  expect(exitCode).toBe(0);
  expect(still.status).toBe("running");
  await errors.until("> Count");
  expect(compacted).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("In short") });
  expect(compacted.stderr).toContain("(epoch 2)");
}, 60_000);

test("incipit follow reports that no host is running", async () => {
  await using folder = await createTempFolder();
  const done = await incipit(["Hello"], { cwd: folder.path, home: folder.path });
  const id = /-s (\S+)/.exec(done.stderr)?.[1] ?? "";

  const followed = await incipit(["follow", id], { cwd: folder.path, home: folder.path });

  expect(followed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("incipit serve") });
}, 60_000);
