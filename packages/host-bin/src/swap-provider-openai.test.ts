import providerOpenai from "@incipit/provider-openai";
import type { ConversationId } from "@incipit/schema";
import { expect, test } from "bun:test";
import { brokenVersion, collect, HostWorld, prefixOf, until } from "./testing/host-world.ts";

const id = "provider-openai";
const chunks = ["one ", "two ", "three"];

async function begunReply(
  world: HostWorld,
): Promise<{ readonly conversation: ConversationId; readonly turn: ReturnType<typeof collect> }> {
  const { client, model } = world;
  model.enqueue({ kind: "text", chunks, gate: true });
  const conversation = await world.createConversation();
  const turn = collect(client.sendTurn(conversation, { input: "first" }));
  model.release();
  await turn.has("text-delta");
  return { conversation, turn };
}

test("[swap-loses-nothing] a swap of provider-openai during a reply completes it, and the next turn continues", async () => {
  await using world = await HostWorld.start();
  const { host, client, model } = world;
  const { conversation, turn } = await begunReply(world);

  const swap = host.kernel.swap(id);
  await until(() => world.health(id).generation === 2);
  const other = await collect(client.sendTurn(await world.createConversation(), { input: "other" })).ended;
  const meanwhile = world.health(id);
  for (let count = 0; count < 10; count += 1) model.release();
  const report = await swap;
  const events = await turn.ended;
  const next = await collect(client.sendTurn(conversation, { input: "second" })).ended;

  expect(other.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(meanwhile).toMatchObject({ callsInFlight: 0, draining: { generation: 1, callsInFlight: 1 } });
  expect(report).toMatchObject({ outcome: "swapped", drained: 1, cut: 0 });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(next.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect((await world.texts(conversation))[1]).toBe(chunks.join(""));
  const [first, , second] = model.requests.map(({ body }) => body);
  expect(second).toStartWith(prefixOf(first));
});

test("[swap-loses-nothing] a failed swap of provider-openai does not affect the reply", async () => {
  await using world = await HostWorld.start();
  const { host, client, model } = world;
  const { conversation, turn } = await begunReply(world);

  const report = await host.kernel.swap(id, { extension: brokenVersion(providerOpenai) });
  for (let count = 0; count < 10; count += 1) model.release();
  const events = await turn.ended;
  const next = await collect(client.sendTurn(conversation, { input: "second" })).ended;

  expect(report).toMatchObject({ outcome: "kept-old", to: { version: "9.9.9" }, drained: 0, cut: 0 });
  expect(world.health(id)).toMatchObject({ phase: "active", generation: 1 });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect((await world.texts(conversation))[1]).toBe(chunks.join(""));
  expect(next.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
});

test("[swap-loses-nothing] a reply of provider-openai past the deadline is cut, and the conversation continues", async () => {
  await using world = await HostWorld.start({ timeouts: { drainTimeoutMs: 50 } });
  const { host, client, model } = world;
  const { conversation, turn } = await begunReply(world);

  const report = await host.kernel.swap(id);
  const events = await turn.ended;
  await model.waitFor(({ requests }) => requests[0]?.isAborted === true);
  const next = await collect(client.sendTurn(conversation, { input: "second" })).ended;

  expect(report).toMatchObject({ outcome: "swapped", drained: 0, cut: 1 });
  expect(events.filter(({ type }) => type === "turn-end")).toEqual([
    expect.objectContaining({ status: "failed", error: expect.objectContaining({ code: "GENERATION_GONE" }) }),
  ]);
  expect(next.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  const shown = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
  expect((await world.texts(conversation)).slice(0, 3)).toEqual(["first", shown, "second"]);
});

test("[swap-loses-nothing] a call of provider-openai cut before any output is retried on the new version", async () => {
  await using world = await HostWorld.start({ timeouts: { drainTimeoutMs: 50 } });
  const { host, client, model } = world;
  model.enqueue({ kind: "never" }, { kind: "text", chunks });
  const conversation = await world.createConversation();
  const turn = collect(client.sendTurn(conversation, { input: "first" }));
  await model.waitForRequests(1);

  const report = await host.kernel.swap(id);
  const events = await turn.ended;

  expect(report).toMatchObject({ outcome: "swapped", cut: 1 });
  expect(events.filter(({ type }) => type === "step-retry")).toMatchObject([
    { error: { code: "GENERATION_GONE" } },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(model.requests.map(({ body }) => body)).toEqual([
    model.requests[0]?.body ?? "",
    model.requests[0]?.body ?? "",
  ]);
});
