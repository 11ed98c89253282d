import { defineExtension, type Extension } from "@incipit/kernel";
import type { ConversationId, TurnEvent } from "@incipit/schema";
import { promptVariablesPoint } from "@incipit/service-contract";
import systemPrompt from "@incipit/system-prompt";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { brokenVersion, collect, HostWorld, prefixOf, until } from "./testing/host-world.ts";

const id = "system-prompt";

interface GatedVariable {
  readonly extension: Extension;
  readonly count: number;
  open(): void;
}

/** Holds a construction open. */
function gatedVariable(): GatedVariable {
  const gate = Promise.withResolvers<void>();
  let count = 0;
  return {
    get count() {
      return count;
    },
    open: () => gate.resolve(),
    extension: defineExtension(
      { id: "acme.gated", version: "1.0.0", api: "^1", contributes: ["prompt-variables@1"] },
      (host) =>
        host.contribute(promptVariablesPoint, {
          type: "gated",
          variables: [{ name: "value", description: "Resolved when the test says so" }],
          resolve: async () => {
            count += 1;
            await gate.promise;
            return { value: `value ${count}` };
          },
        }),
    ),
  };
}

async function setTemplate({ client }: HostWorld, template: string): Promise<void> {
  await client.call(routes.setSystemPrompt, { body: { template } });
}

async function promptOf({ client }: HostWorld, conversation: ConversationId): Promise<string | null> {
  return (await client.call(routes.getConversationSystemPrompt, { params: { id: conversation } })).systemPrompt;
}

function constructions(events: readonly TurnEvent[]): number {
  return events.filter(({ type }) => type === "prompt-resolve").length;
}

for (const [name, next, outcome] of [
  ["the new version starts", undefined, "swapped"],
  ["the new version does not start", { extension: brokenVersion(systemPrompt) }, "kept-old"],
] as const) {
  test(`[swap-loses-nothing] system-prompt swapped during a construction constructs once, and ${name}`, async () => {
    const variable = gatedVariable();
    await using world = await HostWorld.start({ extensions: () => [variable.extension] });
    const { host, client, model } = world;
    await Bun.write(join(world.cwd, "NOTES.md"), "a note");
    await setTemplate(world, "[gated:value] [file:NOTES.md] [git:branch]");
    const conversation = await world.createConversation();
    const turn = collect(client.sendTurn(conversation, { input: "first" }));
    await until(() => variable.count > 0);

    const swap = host.kernel.swap(id, next);
    if (outcome === "swapped") await until(() => world.health(id).generation === 2);
    else await swap;
    const { draining } = world.health(id);
    variable.open();
    const report = await swap;
    const first = await turn.ended;
    await Bun.write(join(world.cwd, "NOTES.md"), "another note");
    const second = await collect(client.sendTurn(conversation, { input: "second" })).ended;

    expect(report).toMatchObject({ outcome, drained: outcome === "swapped" ? 1 : 0, cut: 0 });
    expect(draining?.callsInFlight).toBe(outcome === "swapped" ? 1 : undefined);
    expect(first.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    expect(second.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    expect([variable.count, constructions(first), constructions(second)]).toEqual([1, 1, 0]);
    expect(await promptOf(world, conversation)).toBe("value 1 a note ");
    const [one, two] = model.requests.map(({ body }) => body);
    expect(one).toContain("value 1 a note");
    expect(two).toStartWith(prefixOf(one));
  });
}

test("[swap-loses-nothing] a swap of system-prompt between turns keeps the bytes despite external changes", async () => {
  await using world = await HostWorld.start();
  const { host, client, model } = world;
  await setTemplate(world, "It is [system:time] here");
  const conversation = await world.createConversation();
  await collect(client.sendTurn(conversation, { input: "first" })).ended;
  const before = await promptOf(world, conversation);

  const report = await host.kernel.swap(id);
  await setTemplate(world, "Another template");
  const second = await collect(client.sendTurn(conversation, { input: "second" })).ended;

  expect(report.outcome).toBe("swapped");
  expect(constructions(second)).toBe(0);
  expect(await promptOf(world, conversation)).toBe(before);
  const [one, two] = model.requests.map(({ body }) => body);
  expect(two).toStartWith(prefixOf(one));
});

test("[swap-loses-nothing] a swap of system-prompt during a compaction stores its new prompt with the summary", async () => {
  await using world = await HostWorld.start();
  const { host, client, model } = world;
  await setTemplate(world, "Before");
  const conversation = await world.createConversation();
  await collect(client.sendTurn(conversation, { input: "first" })).ended;
  await setTemplate(world, "After");
  model.enqueue({ kind: "text", chunks: ["a ", "summary"], gate: true });
  const compaction = client.call(routes.compactConversation, { params: { id: conversation } });
  await model.waitForRequests(2);

  const report = await host.kernel.swap(id);
  for (let count = 0; count < 10; count += 1) model.release();
  const { conversation: compacted } = await compaction;

  expect(report).toMatchObject({ outcome: "swapped", cut: 0 });
  expect(compacted.epoch).toBe(2);
  expect(await promptOf(world, conversation)).toBe("After");
});

test("unloading system-prompt during the first construction leaves only that turn without a prompt", async () => {
  const variable = gatedVariable();
  await using world = await HostWorld.start({ extensions: () => [variable.extension] });
  const { host, client, model } = world;
  await setTemplate(world, "[gated:value]");
  const conversation = await world.createConversation();
  const turn = collect(client.sendTurn(conversation, { input: "first", system: "of this call" }));
  await until(() => variable.count > 0);

  await host.kernel.unload(id);
  const first = await turn.ended;
  await host.kernel.load(id);
  variable.open();
  const second = await collect(client.sendTurn(conversation, { input: "second" })).ended;

  expect(first.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(second.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect([constructions(first), constructions(second)]).toEqual([0, 0]);
  expect(model.requests[0]?.body).toContain("of this call");
  expect(model.requests.some(({ body }) => body.includes("value 1"))).toBe(false);
});

test("unloading system-prompt during a compaction's preparation leaves only the compaction's own text", async () => {
  const variable = gatedVariable();
  await using world = await HostWorld.start({ extensions: () => [variable.extension] });
  const { host, client, model } = world;
  await setTemplate(world, "Be kind.");
  const conversation = await world.createConversation();
  await collect(client.sendTurn(conversation, { input: "first" })).ended;
  await setTemplate(world, "[gated:value]");
  const compaction = client.call(routes.compactConversation, { params: { id: conversation } });
  await until(() => variable.count > 0);

  await host.kernel.unload(id);
  const { conversation: compacted } = await compaction;
  await host.kernel.load(id);

  expect(compacted.epoch).toBe(2);
  const told = JSON.stringify(model.requests.at(-1)?.body);
  expect(told).not.toContain("Be kind.");
  expect(told).toContain("summar");
  expect(await promptOf(world, conversation)).toBe("Be kind.");
});

test("unloading system-prompt while a standalone call resolves sends only the call's own text", async () => {
  const variable = gatedVariable();
  await using world = await HostWorld.start({ extensions: () => [variable.extension] });
  const { host, model } = world;
  await setTemplate(world, "[gated:value]");
  const call = fetch(`${host.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${host.token}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "local/test", messages: [{ role: "user", content: "first" }] }),
  });
  await until(() => variable.count > 0);

  await host.kernel.unload(id);
  const { status } = await call;

  expect(status).toBe(200);
  expect(model.requests.length).toBe(1);
});
