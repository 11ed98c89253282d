import type { ValuesAnswer } from "@incipit/service-contract";
import { TestService } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { giving, createSubagentsWorld, saying } from "../subagents/testing/subagents-world.ts";
import { collect } from "../testing/host-world.ts";
import { ChatsWorld } from "./testing/chats-world.ts";
import { CronWorld } from "./testing/cron-world.ts";
import { elicitingTool } from "./testing/curious-tool.ts";
import { HeartbeatWorld } from "./testing/heartbeat-world.ts";

const nobody: readonly ValuesAnswer[] = [{ action: "cancel", reason: "unattended" }];
const call = { name: "ask", input: "{}" };

test("a question of a schedule's tool is immediately answered that no user is present", async () => {
  const answers: ValuesAnswer[] = [];
  await using world = await CronWorld.start({
    extensions: [elicitingTool(answers)],
    answer: () => ({ call, say: "HEARTBEAT_OK" }),
  });
  await world.schedules.create({ id: "logs", task: "Look", every: "15m" });

  await world.minutes(16);

  expect((await world.runs("logs")).map(({ status }) => status)).toEqual(["completed"]);
  expect(answers).toEqual([...nobody]);
});

test("a question of the heartbeat's tool is immediately answered that no user is present", async () => {
  const answers: ValuesAnswer[] = [];
  await using world = await HeartbeatWorld.start({
    extensions: [elicitingTool(answers)],
    answer: () => ({ call, say: "HEARTBEAT_OK" }),
  });

  await world.minutes(31);

  expect(answers).toEqual([...nobody]);
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
