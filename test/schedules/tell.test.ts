import chats from "@incipit/messaging";
import { createMemoryStorage, FakeClock, TestService } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { SchedulesWorld } from "./schedules-world.ts";

function serviceOfAda(): TestService {
  return new TestService({ settings: { people: ["ada"] } });
}

test("a chat receives complete heartbeat alerts and nothing else", async () => {
  const service = serviceOfAda();
  const long = `The disk is full. HEARTBEAT_OK was yesterday.\n${"Look.\n".repeat(1_000)}`;
  const replies = ["HEARTBEAT_OK", long, long, "All is well.\nHEARTBEAT_OK", "The backup failed."];
  await using world = await SchedulesWorld.start({
    heartbeat: { tell: "test:ada" },
    answer: () => replies.shift() ?? "HEARTBEAT_OK",
    extensions: [chats, service.extension()],
  });

  await world.minutes(181);
  while (!service.texts("ada").join("").includes("The backup failed."))
    await new Promise<void>((resolve) => setImmediate(resolve));

  expect(service.texts("ada").join("").replaceAll("\n", "")).toBe(
    `${long}The same again: ${long}The backup failed.`.replaceAll("\n", ""),
  );
});

test("an undeliverable alert is stored with the reason", async () => {
  await using world = await SchedulesWorld.start({
    heartbeat: { tell: "test:eve" },
    answer: () => "The disk is full.",
    extensions: [chats, serviceOfAda().extension()],
  });
  await using without = await SchedulesWorld.start({
    heartbeat: { tell: "telegram:1" },
    answer: () => "The disk is full.",
  });

  for (const one of [world, without]) await one.minutes(31);

  expect(await world.wakes()).toMatchObject([
    { outcome: "alert", reply: "The disk is full.", error: { code: "CHAT_UNKNOWN" } },
  ]);
  expect(await without.wakes()).toMatchObject([
    {
      outcome: "alert",
      error: { message: 'Cannot notify "telegram:1": the extension of chats is not loaded' },
    },
  ]);
});

test("a chat is notified once a day that the token limit is reached", async () => {
  const service = serviceOfAda();
  await using world = await SchedulesWorld.start({
    heartbeat: { tell: "test:ada", every: "4h", max_tokens_per_day: 15 },
    extensions: [chats, service.extension()],
  });

  await world.minutes(2 * 1_440 + 1);
  while (service.texts("ada").length < 2) await new Promise<void>((resolve) => setImmediate(resolve));

  const spent =
    "The heartbeat has used 20 tokens today, and heartbeat.max_tokens_per_day allows 15; it continues tomorrow";
  expect(service.texts("ada")).toEqual([spent, spent]);
});

test("a chat receives the results of schedule runs, except quiet ones", async () => {
  const service = serviceOfAda();
  const replies = ["Two tests fail.", "Fine.\nHEARTBEAT_OK", new Error("The vendor is down")];
  await using world = await SchedulesWorld.start({
    cron: { jobs: { tests: { task: "Run them", every: "10m", tell: "test:ada" } } },
    answer: () => replies.shift() ?? "HEARTBEAT_OK",
    extensions: [chats, service.extension()],
  });

  while (world.asked.length < 4) await world.minutes(10);
  while (service.texts("ada").length < 2) await new Promise<void>((resolve) => setImmediate(resolve));

  expect(service.texts("ada")).toEqual(["tests: Two tests fail.", "tests: The vendor is down"]);
});

test("a chat is notified in plain text of stopped and interrupted runs", async () => {
  const service = serviceOfAda();
  const storage = createMemoryStorage();
  const clock = new FakeClock();
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let count = 0;
  const answer = (): Promise<string> => {
    asked[count++]?.resolve();
    return new Promise(() => {});
  };
  const options = { storage, clock, extensions: [chats, service.extension()] };
  const world = await SchedulesWorld.start({ ...options, answer });
  await world.schedules.create({ id: "tests", task: "Run them", every: "10m", tell: "test:ada" });
  await world.schedules.run("tests");
  await asked[0]?.promise;
  const [conversation] = (await world.conversations.list({ limit: 1 })).items;
  if (conversation !== undefined) await world.conversations.stop(conversation.id);
  await world.rest();
  await world.schedules.run("tests");
  await asked[1]?.promise;
  await clock.advanceUntil(world[Symbol.asyncDispose]());

  await using next = await SchedulesWorld.start(options);
  await next.rest();
  while (service.texts("ada").length < 2) await new Promise<void>((resolve) => setImmediate(resolve));

  expect(service.texts("ada")).toEqual([
    "tests: The run was stopped.",
    "tests: The run was cut off, as the host ended.",
  ]);
});

test("a chat is notified that the text of a run or an alert is truncated", async () => {
  const service = serviceOfAda();
  const extensions = [chats, service.extension()];
  const answer = (): { readonly text: string; readonly cutReason: "length" } => ({
    text: "The disk is",
    cutReason: "length",
  });
  const tell = "test:ada";
  await using jobs = await SchedulesWorld.start({ extensions, answer });
  await jobs.schedules.create({ id: "tests", task: "Run them", every: "10m", tell });
  await jobs.schedules.run("tests");
  while (service.texts("ada").length < 1) await new Promise<void>((resolve) => setImmediate(resolve));
  const alerted = serviceOfAda();
  await using world = await SchedulesWorld.start({
    heartbeat: { tell },
    answer,
    extensions: [chats, alerted.extension()],
  });
  await world.minutes(31);
  while (alerted.texts("ada").length < 1) await new Promise<void>((resolve) => setImmediate(resolve));

  expect(service.texts("ada")).toEqual([expect.stringMatching(/^tests: The disk is\n\n\(The reply is cut off/)]);
  expect(alerted.texts("ada")).toEqual([expect.stringMatching(/^The disk is\n\n\(The reply is cut off/)]);
});
