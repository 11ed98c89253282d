import type { ConversationId, TurnEvent } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { HostProcess } from "../support/host-process.ts";
import { systemTexts } from "../support/request-body.ts";
import { HostWorld } from "../support/host-world.ts";

async function createWorld(config = ""): Promise<HostWorld> {
  const world = await HostWorld.create({ isStrict: true, config });
  await edit(world, "be brief");
  return world;
}

const edit = ({ cwd }: HostWorld, text: string): Promise<number> => Bun.write(join(cwd, "AGENTS.md"), text);

async function turn(
  world: HostWorld,
  host: HostProcess,
  id: ConversationId,
  input: string,
): Promise<readonly unknown[]> {
  const events = await host.turn(id, { input });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  return systemTexts(world.model.requests.at(-1)?.body ?? "");
}

function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function eventsOf(client: Client, id: ConversationId): Promise<readonly TurnEvent[]> {
  const { conversation } = await client.call(routes.getConversation, { params: { id } });
  const events: TurnEvent[] = [];
  if (conversation.lastSeq === 0) return events;
  for await (const event of client.followEvents(id, { afterSeq: 0 })) {
    events.push(event);
    if (event.seq >= conversation.lastSeq) break;
  }
  return events;
}

test("[resolved-once] drift shows a rebuild's changes without storing them; a rebuild survives SIGKILL", async () => {
  await using world = await createWorld();
  const first = await world.startWithClient();
  const { id } = await first.host.createConversation();
  const params = { id };
  const [told] = await turn(world, first.host, id, "one");
  await edit(world, "be long");

  const { drift } = await first.client.call(routes.getDrift, { params });
  const unchanged = await turn(world, first.host, id, "two");
  const rebuilt = await first.client.call(routes.rebuildPrompt, { params, body: { by: "ada", note: "new rules" } });
  await first.host.kill("SIGKILL");
  const { host, client } = await world.startWithClient();
  const again = await client.call(routes.rebuildPrompt, { params, body: {} });
  const [toldNow] = await turn(world, host, id, "three");

  expect(drift).toMatchObject({
    isSame: false,
    hunks: [{ causes: [{ kind: "variable", name: "file:AGENTS.md" }] }],
    rebuildCost: { tokens: { method: "estimate" }, usd: null },
  });
  expect(drift?.unified).toContain("-be brief\n+be long\n");
  expect(unchanged).toEqual([told]);
  expect(rebuilt).toMatchObject({
    outcome: "rebuilt",
    systemPrompt: { reason: "rebuild", by: "ada", note: "new rules", sha256: drift?.now.sha256 },
  });
  expect(again).toMatchObject({ outcome: "nothing-changed", systemPrompt: rebuilt.systemPrompt });
  expect(toldNow).toBe(rebuilt.systemPrompt.systemPrompt);
  expect(String(toldNow)).toBe(String(told).replace("be brief", "be long"));
  expect((await client.call(routes.getDrift, { params })).drift).toMatchObject({
    isSame: true,
    hunks: [],
    rebuildCost: { tokens: { count: 0 }, firstChangedByte: null },
  });
  const { steps } = await client.call(routes.listSteps, { params });
  expect(steps.map(({ firstDifference, differenceReason }) => [firstDifference, differenceReason])).toEqual([
    [null, "first-step"],
    [null, null],
    ["system", "prompt-rebuilt"],
  ]);
  const { constructions } = await client.call(routes.listConstructions, { params });
  expect(constructions).toMatchObject([
    { reason: "first-turn", by: null, note: null },
    { reason: "rebuild", by: "ada", note: "new rules" },
  ]);
  const texts = constructions.map(({ sha256 }) =>
    client.call(routes.getConstructedText, { params: { id, sha256 } }).then(({ systemPrompt }) => systemPrompt),
  );
  expect(await Promise.all(texts)).toEqual([String(told), String(toldNow)]);
  const resolves = (await eventsOf(client, id)).filter((event) => event.type === "prompt-resolve");
  expect(resolves.map(({ reason, sha256 }) => [reason, sha256])).toEqual(
    constructions.map(({ reason, sha256 }) => [reason, sha256]),
  );
  expect(new Set(resolves.map(({ turnId }) => turnId)).size).toBe(2);
}, 300_000);

test("drift computes a rebuild's cost from the changed prompt, provider token counts and prices", async () => {
  const prices = `[providers.local.models."gpt-5.2"]\nprices = { input = 10, output = 20 }\n`;
  await using world = await createWorld(`system_prompt = "a b c [file:AGENTS.md]"\n${prices}`);
  const { host, client } = await world.startWithClient();
  const { id } = await host.createConversation({ model: "local/gpt-5.2" });
  const usage = { inputTokens: 1_000, outputTokens: 100, cacheReadTokens: 0 };
  world.model.enqueue({ kind: "text", chunks: ["Reply"], usage });
  await turn(world, host, id, "one");
  await edit(world, "be long");

  const { drift } = await client.call(routes.getDrift, { params: { id } });
  const { explain } = await client.call(routes.explainConversation, { params: { id } });

  // Five words are stored, of which "long" and the rest are re-read; no tools were sent.
  expect(explain?.tokens).toEqual({ count: 5, method: "o200k_base" });
  expect(drift?.rebuildCost).toEqual({
    firstChangedByte: "a b c be ".length,
    tokens: { count: 1 + 1_100 - 5, method: "estimate" },
    usd: ((1 + 1_100 - 5) * 10) / 1_000_000,
  });
}, 300_000);

test("drift estimates a token per four bytes where the provider reports no counts", async () => {
  await using world = await createWorld('system_prompt = "a b c [file:AGENTS.md]"\ntools.workspace = true');
  const { host, client } = await world.startWithClient();
  const { id } = await host.createConversation({ model: "local/gpt-5.2" });
  const call = { id: "c1", name: "read_file", arguments: '{"path":"AGENTS.md"}' };
  world.model.enqueue(
    { kind: "tool-calls", calls: [call], usage: "absent" },
    { kind: "text", chunks: ["Reply"], usage: "absent" },
  );
  await turn(world, host, id, "one");
  await edit(world, "be long");

  const { drift } = await client.call(routes.getDrift, { params: { id } });
  const { messages } = await client.call(routes.listMessages, { params: { id }, query: { limit: 100 } });

  const outputs = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool-result" ? [part] : [])),
  );
  const bytes = Buffer.byteLength(["one", call.arguments, outputs[0]?.output, "Reply"].join(""));
  expect(outputs).toHaveLength(1);
  expect(drift?.rebuildCost.tokens).toEqual({ count: 1 + Math.ceil(bytes / 4), method: "estimate" });
}, 300_000);

test("a rebuild before the first turn, during one or with invalid data is rejected", async () => {
  await using world = await createWorld();
  const { host, client } = await world.startWithClient();
  const { id } = await host.createConversation();
  const params = { id };
  const rebuild = (body: object = {}): Promise<unknown> =>
    codeOf(client.call(routes.rebuildPrompt, { params, body }));

  const early = await rebuild();
  const noDrift = await client.call(routes.getDrift, { params });
  const none = await client.call(routes.listConstructions, { params });
  world.model.enqueue({ kind: "never" });
  const running = host.turn(id, { input: "one" });
  await world.model.waitForRequests(1);
  await edit(world, "be long");
  const busy = await rebuild();
  await host.fetch(`/conversations/${id}/stop`, { method: "POST" });
  await running;

  expect(early).toMatchObject({ code: "PROMPT_NOT_CONSTRUCTED" });
  expect([noDrift.drift, none.constructions]).toEqual([null, []]);
  expect(busy).toMatchObject({ code: "CONVERSATION_BUSY" });
  for (const body of [{ by: "" }, { by: "a\nb" }, { note: "x".repeat(2_001) }, { who: "ada" }])
    expect(await rebuild(body)).toMatchObject({ code: "INVALID_REQUEST" });
  const { constructions } = await client.call(routes.listConstructions, { params });
  expect(constructions.map(({ reason }) => reason)).toEqual(["first-turn"]);
  const sha256 = "0".repeat(64);
  expect(await codeOf(client.call(routes.getConstructedText, { params: { id, sha256 } }))).toMatchObject({
    code: "PROMPT_UNKNOWN",
  });
}, 300_000);

test("drift and rebuild report a missing prompt builder", async () => {
  await using world = await createWorld();
  const { host, client } = await world.startWithClient();
  const { id } = await host.createConversation();
  await turn(world, host, id, "one");
  await client.call(routes.unloadExtension, { params: { id: "system-prompt" } });

  const params = { id };
  for (const call of [
    client.call(routes.getDrift, { params }),
    client.call(routes.rebuildPrompt, { params, body: {} }),
    client.call(routes.listConstructions, { params }),
  ])
    expect(await codeOf(call)).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
}, 300_000);

test("[never-half] SIGKILL during a rebuild leaves the old prompt, or the new with its event", async () => {
  await using world = await createWorld();
  let { host, client } = await world.startWithClient();
  const { id } = await host.createConversation();
  const params = { id };
  await turn(world, host, id, "one");

  for (let round = 0; round < 6; round += 1) {
    await edit(world, `rules of round ${round}`);
    const rebuilding = codeOf(client.call(routes.rebuildPrompt, { params, body: {} }));
    for (let pause = 0; pause < round * 2; pause += 1) await new Promise((resolve) => setImmediate(resolve));
    await host.kill("SIGKILL");
    await rebuilding;
    ({ host, client } = await world.startWithClient());

    const kept = await client.call(routes.getConversationSystemPrompt, { params });
    const { constructions } = await client.call(routes.listConstructions, { params });
    const shown = (await eventsOf(client, id)).filter((event) => event.type === "prompt-resolve");
    expect(shown.map(({ sha256 }) => sha256)).toEqual(constructions.map(({ sha256 }) => sha256));
    expect(kept.sha256).toBe(constructions.at(-1)?.sha256 ?? "");
    expect(await turn(world, host, id, `round ${round}`)).toEqual([kept.systemPrompt]);
  }
}, 300_000);

test("prompts of a conversation are exported, forked and erased with it", async () => {
  await using world = await createWorld();
  const { host, client } = await world.startWithClient();
  const { id } = await host.createConversation();
  await turn(world, host, id, "one");
  await edit(world, "be long");
  await client.call(routes.rebuildPrompt, { params: { id }, body: { by: "ada" } });
  const listed = await client.call(routes.listConstructions, { params: { id } });
  const { conversation: fork } = await client.call(routes.forkConversation, { params: { id }, body: {} });
  const exported = await new Response(await client.exportConversation(id)).arrayBuffer();

  await client.call(routes.deleteConversation, { params: { id } });
  const ofFork = await client.call(routes.listConstructions, { params: { id: fork.id } });
  const [oldest] = ofFork.constructions;
  const params = { id: fork.id, sha256: oldest?.sha256 ?? "" };
  const { systemPrompt } = await client.call(routes.getConstructedText, { params });
  await client.importConversation(new Response(exported).body ?? new ReadableStream());
  const imported = await client.call(routes.listConstructions, { params: { id } });

  expect(listed.constructions).toHaveLength(2);
  expect(ofFork).toEqual(listed);
  const marked = listed.constructions.map((construction) => ({ ...construction, isImported: true as const }));
  expect(imported).toEqual({ ...listed, constructions: marked });
  expect(systemPrompt).toContain("be brief");
}, 300_000);
