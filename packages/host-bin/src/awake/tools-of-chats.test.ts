import type { ValuesAnswer } from "@incipit/service-contract";
import { elicitingTool, TestService, toolbox, toolsOf } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { giving, createSubagentsWorld, saying } from "../subagents/testing/subagents-world.ts";
import { collect } from "../testing/host-world.ts";
import { ChatsWorld } from "./testing/chats-world.ts";

const nobody: readonly ValuesAnswer[] = [{ action: "cancel", reason: "unattended" }];
const call = { name: "ask", input: "{}" };

test("conversations of a channel have the tools of its configuration", async () => {
  const service = new TestService({ settings: { people: ["ada"], tools: ["look"] } });
  await using world = await ChatsWorld.start({ service, extensions: [toolbox([], "look", "shell")] });

  await world.say("Hello");

  const [conversation] = (await world.conversations.list({ limit: 10 })).items;
  expect(await toolsOf(world.conversations, conversation?.id ?? null)).toEqual(["look"]);
});

test("a question of a tool in a chat, which has no forms, is immediately cancelled", async () => {
  const answers: ValuesAnswer[] = [];
  const service = new TestService({ settings: { people: ["ada"] } });
  await using world = await ChatsWorld.start({
    service,
    extensions: [elicitingTool(answers)],
    answer: () => ({ call, say: "I could not ask you." }),
  });
  service.say("Tides?");

  await world.rest();

  expect(answers).toEqual([...nobody]);
  expect(service.texts()).toEqual(["I could not ask you."]);
});

test("a question of a subagent's tool is immediately answered that no user is present", async () => {
  const answers: ValuesAnswer[] = [];
  await using world = await createSubagentsWorld({ extensions: [elicitingTool(answers)] });
  world.model.enqueue(
    giving({ profile: "reader", task: "Ask for it" }),
    { kind: "tool-calls", calls: [{ id: "a_1", name: "ask", arguments: "{}" }] },
    saying("Nobody said"),
    saying("Fine"),
  );

  const turn = collect(world.client.sendTurn(await world.createConversation(), { input: "Hello" }));
  await turn.has("turn-end");

  expect(answers).toEqual([...nobody]);
});
