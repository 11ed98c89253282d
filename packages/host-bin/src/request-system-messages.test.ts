import type { ConversationId } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { HostWorld } from "./testing/host-world.ts";

const requestSchema = z.object({ messages: z.array(z.looseObject({ role: z.string(), content: z.string() })) });

function lastRequest({ model }: HostWorld): { readonly system: readonly string[]; readonly said: string } {
  const { messages } = requestSchema.parse(JSON.parse(model.requests.at(-1)?.body ?? ""));
  const textsOf = (isSystem: boolean): string[] =>
    messages.filter(({ role }) => (role === "system") === isSystem).map(({ content }) => content);
  return { system: textsOf(true), said: textsOf(false).join("\n") };
}

async function turn({ client }: HostWorld, id: ConversationId): Promise<void> {
  for await (const _ of client.sendTurn(id, { input: "Go on" }));
}

test("[resolved-once] a conversation's own system messages are its prompt on each turn and after compaction", async () => {
  await using world = await HostWorld.start();
  const { client } = world;
  const system = "You are the reviewer of [prompt:cwd].";
  const { conversation } = await client.call(routes.createConversation, { body: { system } });
  const { id } = conversation;

  await turn(world, id);
  expect(lastRequest(world)).toEqual({ system: [system], said: "Go on" });
  await client.call(routes.updateConversation, { params: { id }, body: { system: "Another." } });
  await turn(world, id);
  expect(lastRequest(world).system).toEqual([system]);
  const { drift } = await client.call(routes.getDrift, { params: { id } });
  expect(drift?.hunks[0]?.causes).toMatchObject([{ kind: "template", name: "texts of the conversation" }]);
  await client.call(routes.compactConversation, { params: { id } });
  await turn(world, id);
  expect(lastRequest(world).system).toEqual(["Another."]);
  expect(lastRequest(world).said).not.toContain("Another.");
  const { explain } = await client.call(routes.explainConversation, { params: { id } });
  expect(explain?.tiers.find(({ won }) => won)).toMatchObject({
    tier: "request",
    source: "texts of the conversation",
  });
});

test("a fork has the system messages of its source, and an export only its prompt", async () => {
  await using world = await HostWorld.start();
  const { client } = world;
  const { conversation } = await client.call(routes.createConversation, { body: { system: ["Given.", "Twice."] } });
  const { id } = conversation;
  await turn(world, id);
  const { messages } = await client.call(routes.listMessages, { params: { id } });
  await turn(world, id);
  await client.call(routes.compactConversation, { params: { id } });

  const { conversation: fork } = await client.call(routes.forkConversation, {
    params: { id },
    body: { after: messages.at(-1)?.id },
  });
  await turn(world, fork.id);
  expect(lastRequest(world).system).toEqual(["Given.\n\nTwice."]);
  const exported = await new Response(await client.exportConversation(fork.id)).blob();
  await client.call(routes.deleteConversation, { params: { id: fork.id } });
  await client.importConversation(exported);
  await turn(world, fork.id);
  expect(lastRequest(world).system).toEqual(["Given.\n\nTwice."]);
  const { outcome } = await client.call(routes.rebuildPrompt, { params: { id: fork.id }, body: {} });

  expect(outcome).toBe("rebuilt");
  await turn(world, fork.id);
  expect(lastRequest(world).system[0]).toStartWith("You are a helpful coding assistant.");
});

test("[sent-is-shown] the preview for a conversation includes its own system messages", async () => {
  await using world = await HostWorld.start();
  const { client } = world;
  const { conversation } = await client.call(routes.createConversation, {
    body: { system: "Be kind.", systemMode: "append" },
  });

  const { systemPrompt } = await client.call(routes.previewSystemPrompt, {
    body: { conversationId: conversation.id },
  });
  await turn(world, conversation.id);

  expect(systemPrompt).toEndWith("\n\nBe kind.");
  expect(lastRequest(world).system).toEqual([systemPrompt]);
});
