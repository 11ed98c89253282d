import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { acpx, endAcpxSessions } from "./acpx.ts";
import { createAcpWorld, messagesOf, type AcpWorld } from "./acp-world.ts";

const workspace = "[tools]\nworkspace = true";

async function newWorld(settings = ""): Promise<AcpWorld> {
  const world = await createAcpWorld(settings);
  await mkdir(join(world.options.data, "../home"));
  return world;
}

test("acpx gets an answer from incipit acp, with its system prompt separate from messages", async () => {
  await using world = await newWorld();
  world.model.enqueue({ kind: "text", chunks: ["The answer", " is 42."] });

  const { stdout, stderr, exitCode } = await acpx(world, [
    "--format",
    "quiet",
    "--system-prompt",
    "You are the otter of [prompt:cwd].",
    "exec",
    "What is it?",
  ]);

  expect({ stdout, exitCode }).toEqual({ stdout: "The answer is 42.\n", exitCode: 0 });
  expect(stderr).toContain("input=20 output=5 cache_read=8");
  expect(world.model.requests).toHaveLength(1);
  expect(messagesOf(world.model.requests[0]?.body)).toEqual([
    { role: "system", text: "You are the otter of [prompt:cwd]." },
    { role: "user", text: "What is it?" },
  ]);
}, 120_000);

test("acpx can append to the system prompt", async () => {
  await using world = await newWorld();

  await acpx(world, ["--append-system-prompt", "Be an otter.", "exec", "Hello"]);

  expect(messagesOf(world.model.requests[0]?.body)[0]).toEqual({
    role: "system",
    text: "Be of use.\n\nBe an otter.",
  });
}, 120_000);

test.each([
  { flag: "--approve-all", text: "ran\n" },
  { flag: "--deny-all", text: "" },
])(
  "acpx receives an approval request before a tool runs, and $flag decides",
  async ({ flag, text }) => {
    await using world = await newWorld(workspace);
    world.model.enqueue(
      {
        kind: "tool-calls",
        calls: [{ id: "call-1", name: "shell", arguments: '{"command":"echo ran > ran.txt"}' }],
      },
      { kind: "text", chunks: ["Done."] },
    );

    const { stdout } = await acpx(world, [flag, "--format", "json", "exec", "Run it"]);

    const methods = stdout
      .trim()
      .split("\n")
      .map((line) => z.looseObject({ method: z.string().optional() }).parse(JSON.parse(line)).method);
    expect(methods.filter((method) => method === "session/request_permission")).toHaveLength(1);
    const ran = Bun.file(join(world.cwd, "ran.txt"));
    expect((await ran.exists()) ? await ran.text() : "").toBe(text);
  },
  120_000,
);

test("[byte-prefix] a resumed acpx session continues over HTTP with one prompt and history", async () => {
  await using scope = new AsyncDisposableStack();
  const world = scope.use(await newWorld());
  const host = await world.host();

  const { stdout } = await acpx(world, ["--format", "quiet", "sessions", "new"]);
  const id = stdout.trim();
  await acpx(world, ["--format", "quiet", "first"]);
  scope.defer(() => endAcpxSessions(world));
  await host.turn(id, { input: "second" });
  const third = await acpx(world, ["--format", "quiet", "third"]);

  expect(third.stdout).toBe("Reply 3\n");
  const bodies = world.model.requests.map(({ body }) => messagesOf(body));
  expect(bodies.map((messages) => messages.length)).toEqual([2, 4, 6]);
  for (const [index, messages] of bodies.slice(1).entries())
    expect(messages.slice(0, bodies[index]?.length)).toEqual([...(bodies[index] ?? [])]);
  expect(bodies[2]?.map(({ text }) => text)).toEqual([
    "Be of use.",
    "first",
    "Reply 1",
    "second",
    "Reply 2",
    "third",
  ]);
  const { constructions } = await host.constructions(id);
  expect(constructions).toHaveLength(1);
}, 120_000);
