import type { Replay } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { World } from "../support/world.ts";

const requestSchema = z.object({
  system: z.unknown().optional(),
  messages: z.array(z.unknown()),
  tools: z.unknown().optional(),
});
const secret = "sk-proj-plantedInATool0123";

function startWorld(): Promise<World> {
  return World.start({
    config: (model) => `model = "chat/one"
system_prompt = "Be kind. [file:note.txt]"
[tools]
workspace = true
[providers.chat]
kind = "openai-compatible"
base_url = "${model.url}"
[providers.claude]
kind = "anthropic"
base_url = "${model.urlOf("anthropic")}"
api_key_env = "CLAUDE_KEY"
[providers.claude.models."two"]
prices = { input = 3, output = 15 }
`,
    env: { CLAUDE_KEY: "planted-vendor-key-2" },
    files: { "note.txt": "First", "data.txt": `key ${secret}` },
  });
}

async function stepsOf(client: Client, id: string): Promise<readonly string[]> {
  const { steps } = await client.call(routes.listSteps, { params: { id } });
  return steps.map((step) => step.id);
}

test("GET …/record shows a step with request, reply, prompt and audit, without secrets", async () => {
  await using world = await startWorld();
  const host = await world.host();
  const { client } = host;
  world.model.enqueueCall("read_file", { path: "data.txt" });
  world.model.enqueueText("It has a key.");
  const { id } = await host.createConversation();
  await host.turn(id, { input: "What is in data.txt?" });
  const [first = "", second = ""] = await stepsOf(client, id);

  const record = await client.call(routes.getStepRecord, { params: { id, stepId: second } });

  expect(record).toMatchObject({
    conversation: { id, model: "chat/one" },
    step: { id: second },
    systemTexts: ["Be kind. First"],
    messages: [{ role: "user" }, { role: "assistant" }, { role: "tool" }],
    reply: { role: "assistant", parts: [{ type: "text", text: "It has a key." }] },
    audit: { verdict: "held" },
    requestProblem: null,
  });
  expect(record.explain?.sha256).toBe(record.step.systemSha256 ?? "");
  expect(record.tools?.map(({ name }) => name)).toContain("read_file");
  expect(record.request?.sha256).toBe(new Bun.CryptoHasher("sha256").update(world.bodies[1] ?? "").digest("hex"));
  expect(world.bodies[1]).toContain(secret);
  expect(JSON.stringify(record)).not.toContain(secret);
  expect(record.redactions).toEqual([{ place: "record", kind: "api-key", count: 1 }]);
  const found: unknown = await client.call(routes.findStep, { params: { stepId: first } });
  expect(found).toEqual({ conversationId: id, stepId: first });
}, 300_000);

test("POST …/replay sends another model the same content, runs no tool, and changes nothing", async () => {
  await using world = await startWorld();
  const { model } = world;
  const killed = await world.host();
  model.enqueueCall("read_file", { path: "data.txt" });
  model.enqueueText("It has a key.", "Another answer.", "They looked at a file.");
  const { id } = await killed.createConversation();
  await killed.turn(id, { input: "What is in data.txt?" });
  await killed.turn(id, { input: "Only here", system: "You are a judge.", systemMode: "replace" });
  await world.write("note.txt", "Second");
  await killed.client.call(routes.compactConversation, { params: { id } });
  const steps = await stepsOf(killed.client, id);
  expect(steps).toHaveLength(4);
  await killed.kill("SIGKILL");
  const host = await world.host();
  const { client } = host;
  const before = await client.call(routes.listMessages, { params: { id } });
  const sent = world.model.requests.length;

  model.enqueueCall("write_file", { path: "x.txt", text: "no" });
  const replayed = [];
  for (const [index, stepId] of steps.entries()) {
    const body = { model: index < 3 ? "claude/two" : "chat/one" };
    replayed.push((await client.call(routes.replayStep, { params: { id, stepId }, body })).replay);
  }

  const bodies = world.bodies.slice(sent).map((body) => requestSchema.parse(JSON.parse(body)));
  const texts = bodies.map(({ system }) => JSON.stringify(system));
  expect(texts[0]).toContain('"Be kind. First"');
  expect(texts[1]).toContain('"Be kind. First"');
  expect(texts[2]).toContain('"You are a judge.');
  expect(bodies.map(({ messages }) => messages.length)).toEqual([1, 3, 5, 8]);
  expect(JSON.stringify(bodies[1])).toContain(secret);
  expect(JSON.stringify(bodies[0]?.tools)).toContain('"write_file"');
  // The same provider receives the same bytes as in the step.
  expect(world.lastBody).toBe(world.bodies[3] ?? "");
  expect(replayed[0]).toMatchObject({
    original: { model: "chat/one", parts: [{ type: "tool-call", name: "read_file" }] },
    replay: { model: "claude/two", parts: [{ type: "tool-call", name: "write_file" }], error: null },
    notes: [],
  });
  expect(await world.has("x.txt")).toBe(false);
  expect(replayed[1]?.replay?.costUsd).toBeGreaterThan(0);
  const callId = replayed[1]?.callId ?? "";
  expect((await client.call(routes.getCallRequest, { params: { id: callId } })).body).toContain(
    "[redacted:api-key]",
  );
  expect(await client.call(routes.listMessages, { params: { id } })).toEqual(before);
  expect(await stepsOf(client, id)).toEqual(steps);
  const { replays } = await client.call(routes.listReplays, { params: { id, stepId: steps[1] ?? "" } });
  expect(replays).toEqual(replayed.slice(1, 2));

  await client.call(routes.deleteConversation, { params: { id } });
  expect(await host.fetch(`/calls/${callId}`).then(({ status }) => status)).toBe(404);
}, 300_000);

test("POST …/replay returns a model's failure in its response, and rejects an unknown model", async () => {
  await using world = await startWorld();
  const host = await world.host();
  const { client } = host;
  const { id } = await host.createConversation();
  await host.turn(id, { input: "Hello" });
  const [stepId = ""] = await stepsOf(client, id);
  world.model.enqueue({ kind: "error", status: 400, body: '{"error":{"message":"No such model"}}' });

  const { replay } = await client.call(routes.replayStep, { params: { id, stepId }, body: { model: "chat/none" } });
  const refused = await client
    .call(routes.replayStep, { params: { id, stepId }, body: { model: "nobody/x" } })
    .catch((error: unknown) => error);

  expect(replay.replay?.error?.message).toContain("No such model");
  expect(replay.original.parts).toMatchObject([{ type: "text", text: "Reply 1" }]);
  expect(refused).toMatchObject({ code: "MODEL_UNKNOWN" });
  const offline = await client.call(routes.replayStep, { params: { id, stepId }, body: { model: "offline/echo" } });
  expect(JSON.stringify(offline.replay.replay?.parts)).toContain("Be kind.");
}, 300_000);

test("POST …/replay stops the call when its client disconnects, and records the interruption", async () => {
  await using world = await startWorld();
  const host = await world.host();
  const { client } = host;
  const { id } = await host.createConversation();
  await host.turn(id, { input: "Hello" });
  const [stepId = ""] = await stepsOf(client, id);
  world.model.enqueue({ kind: "never" });
  const leave = new AbortController();

  const left = client
    .call(routes.replayStep, { params: { id, stepId }, body: { model: "chat/slow" }, signal: leave.signal })
    .catch((error: unknown) => error);
  await world.model.waitForRequests(2);
  leave.abort();
  await left;

  const replays = async (): Promise<readonly Replay[]> =>
    (await client.call(routes.listReplays, { params: { id, stepId } })).replays;
  while ((await replays()).some(({ replay }) => replay === null))
    await new Promise((resolve) => setImmediate(resolve));
  expect(await replays()).toMatchObject([{ original: { error: null }, replay: { model: "chat/slow", parts: [] } }]);
  expect((await replays())[0]?.replay?.error?.code).toBe("CANCELLED");
  expect(world.model.requests[1]?.isAborted).toBe(true);
}, 300_000);
