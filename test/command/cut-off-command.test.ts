import { expect, test } from "bun:test";
import { spawnIncipit, type HostProcess } from "../support/host-process.ts";
import { prefixOf } from "../support/request-body.ts";
import { World } from "../support/world.ts";

function startWorld(): Promise<World> {
  return World.start({ config: "tools.workspace = true", model: { isStrict: true } });
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
  await using world = await startWorld();
  const host = await world.host();
  world.model.enqueue({ kind: "text", gate: true, chunks: ["Otters ", "swim."] });
  const { work: cwd, home } = world;
  const child = spawnIncipit(["chat"], "pipe", { cwd, home });
  const [answer, rest] = child.stdout.tee();
  const said = new Response(child.stderr).text();

  await child.stdin.write("Tell me\n");
  await killAfterFirstText(host, answer);
  await child.stdin.write("Go on\n");
  await child.stdin.end();

  expect([await child.exited, await new Response(rest).text()]).toEqual([0, "Otters \nReply 2\n"]);
  expect(await said).toContain("The host went away before the turn had ended; what it had said is kept\n");
  const [first, second] = world.bodies;
  expect(second).toStartWith(prefixOf(first ?? ""));
  expect(second).toContain("Otters");
}, 300_000);

test("incipit chat explains each rejected line and ends with its input", async () => {
  await using world = await startWorld();
  const host = await world.host();
  const { id } = await host.createConversation();

  const { exitCode, stderr } = await world.run(["chat", "-s", id], { input: "/one\n/two\n" });

  expect([exitCode, [...stderr.matchAll(/put a space in front of it/g)].length]).toEqual([1, 2]);
  expect(stderr).toContain(`Go on with: incipit -s ${id}`);
}, 300_000);

test("incipit -s ID reports an interrupted turn, and history shows its place", async () => {
  await using world = await startWorld();
  const first = await world.host();
  const { id } = await first.createConversation();
  world.model.enqueue({ kind: "text", gate: true, chunks: ["Otters ", "swim."] });
  const { body } = await first.fetch(`/conversations/${id}/turns`, { body: { input: "Tell me\nall" } });
  await killAfterFirstText(first, body ?? new ReadableStream());
  await world.host();

  const gone = await world.run(["-s", id, "Go on"]);
  const next = await world.run(["-s", id, "And now?"]);
  const history = await world.run(["conversations", "history", id]);
  const lines = (await world.run(["conversations", "history", id, "--json"])).stdout.trim().split("\n");

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
  await using world = await startWorld();
  await world.write("a.txt", "first\nsecond\n");
  const calls = ["a.txt", "\u001B[2Jnone"].map((path, index) => ({
    id: `call-${index}`,
    name: "read_file",
    arguments: JSON.stringify({ path }),
  }));
  world.model.enqueue({ kind: "tool-calls", calls });
  await world.host();

  const { stdout, stderr } = await world.run(["Read"]);

  expect(stdout).toBe("Reply 2\n");
  expect(stderr).toContain('[read_file] {"path":"a.txt"}\n');
  expect(stderr).toMatch(/^\[read_file\] \{"path":"\\u001b\[2Jnone"\} failed: Cannot .*$/m);
  const id = /-s (\S+)/.exec(stderr)?.[1] ?? "";
  const history = (await world.run(["conversations", "history", id])).stdout;
  expect(history).toContain('[read_file] {"path":"a.txt"}\n');
  expect(history).toContain("  first\\nsecond\\n\n");
  expect(history).toMatch(/^ {2}failed: Cannot /m);
}, 300_000);
