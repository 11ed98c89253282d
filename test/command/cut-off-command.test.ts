import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess, incipit, testedCommand } from "../support/host-process.ts";
import { prefixOf } from "../support/request-body.ts";

interface World extends AsyncDisposable {
  readonly path: string;
  readonly model: RecordingModelServer;
  readonly flags: readonly string[];
  startHost(): Promise<HostProcess>;
}

async function createWorld(): Promise<World> {
  const folder = await createTempFolder();
  const model = await startRecordingModelServer({ isStrict: true });
  const [data, config] = [join(folder.path, "data"), join(folder.path, "incipit.toml")];
  await Bun.write(
    config,
    `model = "local/test"\n[tools]\nworkspace = true\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
  );
  return {
    path: folder.path,
    model,
    flags: ["--data", data, "--config", config],
    startHost: () => HostProcess.start({ data, config, cwd: folder.path }),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function killAfterFirstText(host: HostProcess, stream: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  for (let seen = ""; !seen.includes("Otters");) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`There was no answer: ${seen}`);
    seen += decoder.decode(value, { stream: true });
  }
  reader.releaseLock();
  await host.kill("SIGKILL");
}

test("incipit chat survives its host, reports the interruption, and sends the next line", async () => {
  await using world = await createWorld();
  await using host = await world.startHost();
  world.model.enqueue({ kind: "text", gate: true, chunks: ["Otters ", "swim."] });
  const child = Bun.spawn([...testedCommand, "chat", ...world.flags], {
    cwd: world.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: world.path },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [answer, rest] = child.stdout.tee();
  const said = new Response(child.stderr).text();

  await child.stdin.write("Tell me\n");
  await killAfterFirstText(host, answer);
  await child.stdin.write("Go on\n");
  await child.stdin.end();

  expect([await child.exited, await new Response(rest).text()]).toEqual([0, "Otters \nReply 2\n"]);
  expect(await said).toContain("The host went away before the turn had ended; what it had said is kept\n");
  const [first, second] = world.model.requests.map(({ body }) => body);
  expect(second).toStartWith(prefixOf(first ?? ""));
  expect(second).toContain("Otters");
}, 300_000);

test("incipit chat explains each rejected line and ends with its input", async () => {
  await using world = await createWorld();
  await using host = await world.startHost();
  const { id } = await host.createConversation();
  const args = ["chat", "-s", id, ...world.flags];

  const { exitCode, stderr } = await incipit(args, { cwd: world.path, home: world.path, input: "/one\n/two\n" });

  expect([exitCode, [...stderr.matchAll(/put a space in front of it/g)].length]).toEqual([1, 2]);
  expect(stderr).toContain(`Go on with: incipit -s ${id}`);
}, 300_000);

test("incipit -s ID reports an interrupted turn, and history shows its place", async () => {
  await using world = await createWorld();
  await using first = await world.startHost();
  const { id } = await first.createConversation();
  const run = (...args: readonly string[]): ReturnType<typeof incipit> =>
    incipit([...args, ...world.flags], { cwd: world.path, home: world.path });
  world.model.enqueue({ kind: "text", gate: true, chunks: ["Otters ", "swim."] });
  const { body } = await first.fetch(`/conversations/${id}/turns`, { body: { input: "Tell me\nall" } });
  await killAfterFirstText(first, body ?? new ReadableStream());
  await using _second = await world.startHost();

  const gone = await run("-s", id, "Go on");
  const next = await run("-s", id, "And now?");
  const history = await run("conversations", "history", id);
  const lines = (await run("conversations", "history", id, "--json")).stdout.trim().split("\n");

  expect([gone.stdout, gone.stderr]).toEqual([
    "Reply 2\n",
    `The last turn was cut off when the host ended. What is kept: incipit conversations history ${id}\n`,
  ]);
  expect(next.stderr).toBe("");
  const cut = "(interrupted: the host ended before the turn did)";
  expect(history.stdout).toBe(`> Tell me\n> all\nOtters\n${cut}\n> Go on\nReply 2\n> And now?\nReply 3\n`);
  expect(lines.map((line) => JSON.parse(line)).slice(0, 3)).toMatchObject([
    { role: "user" },
    { role: "assistant" },
    { type: "turn-end", status: "interrupted" },
  ]);
}, 300_000);

test("incipit prints tool calls to stderr, one line each, and history includes results", async () => {
  await using world = await createWorld();
  await Bun.write(join(world.path, "a.txt"), "first\nsecond\n");
  const call = (toolCallId: string, path: string): { id: string; name: string; arguments: string } => ({
    id: toolCallId,
    name: "read_file",
    arguments: JSON.stringify({ path }),
  });
  world.model.enqueue({ kind: "tool-calls", calls: [call("a", "a.txt"), call("b", "\u001B[2Jnone")] });
  await using _host = await world.startHost();
  const run = (...args: readonly string[]): ReturnType<typeof incipit> =>
    incipit([...args, ...world.flags], { cwd: world.path, home: world.path });

  const { stdout, stderr } = await run("Read");

  expect(stdout).toBe("Reply 2\n");
  expect(stderr).toContain('[read_file] {"path":"a.txt"}\n');
  expect(stderr).toMatch(/^\[read_file\] \{"path":"\\u001b\[2Jnone"\} failed: Cannot .*$/m);
  const id = /-s (\S+)/.exec(stderr)?.[1] ?? "";
  const history = (await run("conversations", "history", id)).stdout;
  expect(history).toContain('[read_file] {"path":"a.txt"}\n');
  expect(history).toContain("  first\\nsecond\\n\n");
  expect(history).toMatch(/^ {2}failed: Cannot /m);
}, 300_000);
