import type { StorageDriver } from "@incipit/kernel";
import { createMemoryStorage, TestService } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { ChatsWorld, type ChatsWorldOptions } from "./testing/chats-world.ts";

async function answersTo(world: ChatsWorld, ...written: readonly string[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const text of written) {
    const before = world.service.texts().length;
    const [, name, argument = ""] = /^\/(\w+)(?: (.*))?$/.exec(text) ?? [];
    if (name === undefined) world.service.say(text);
    else world.command(name, argument);
    await world.rest();
    answers.push(world.service.texts().slice(before).join("\n"));
  }
  return answers;
}

async function startWorld(options: ChatsWorldOptions = {}): Promise<ChatsWorld> {
  return ChatsWorld.start({
    defaults: { profiles: [{ name: "poet", model: "test/model" }, { name: "cook" }] },
    ...options,
  });
}

test("/new starts a new conversation with the next message", async () => {
  await using world = await startWorld();
  const [, told] = await answersTo(world, "One", "/new", "Two");

  expect(told).toBe("Your next message starts a new conversation.");
  expect((await world.conversations.list({ limit: 10 })).items).toHaveLength(2);
});

test("/model shows and selects the model, reports an unknown one, and can be reset", async () => {
  await using world = await startWorld();
  const answers = await answersTo(
    world,
    "/model",
    "/model other",
    "/model nobody/knows",
    "Hello",
    "/model default",
    "Hello",
  );

  expect(answers[0]).toContain("Model: test/model.");
  expect(answers[1]).toContain("PROVIDER/MODEL");
  expect(answers[2]).toContain("nobody/knows answers from your next message");
  expect(answers[3]).toContain("Choose another one with /model");
  expect(answers.slice(4)).toEqual(["Using the conversation's own model again.", "Re: Hello"]);
  expect(world.asked).toEqual(["Hello"]);
});

test("/profile lists the profiles and starts a conversation with one", async () => {
  await using world = await startWorld();
  const answers = await answersTo(world, "/profile", "/profile pilot", "/profile cook", "Hello", "/status");

  expect(answers[0]).toContain("Profiles: poet, cook.");
  expect(answers[1]).toContain('Unknown profile "pilot"');
  expect(answers[2]).toContain("as cook");
  expect(answers[4]).toContain("as cook");
  expect((await world.conversations.list({ limit: 1 })).items).toMatchObject([{ profile: "cook" }]);
});

test("/status, /help, /start and unknown commands are answered without a model", async () => {
  await using world = await startWorld();
  const answers = await answersTo(world, "/status", "/help", "/start", "/dance", "/stop", "/prompt");

  expect(answers[0]).toContain("with test/model. No messages are waiting.");
  expect(answers[1]).toContain("/new");
  expect(answers[2]).toStartWith("Hello!");
  expect(answers[3]).toContain("Unknown command /dance");
  expect(answers.slice(4)).toEqual([
    "No conversation yet: your next message starts one.",
    "No conversation yet: your next message starts one.",
  ]);
  expect(world.asked).toEqual([]);
});

test("/stop ends the running turn, reports it once, and queued messages continue", async () => {
  const gate = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  await using world = await startWorld({
    answer: (text) => {
      if (text !== "One") return `Re: ${text}`;
      begun.resolve();
      return gate.promise;
    },
  });
  world.service.say("One");
  world.service.say("Two");
  await begun.promise;
  await world.service.until(() => world.service.unconfirmed === 0);
  world.command("stop");
  await world.service.until(() => world.service.unconfirmed === 0);
  gate.resolve("too late");
  await world.rest();

  expect(world.service.texts()).toEqual(["Stopped.", "Re: Two"]);
  expect(await answersTo(world, "/stop")).toEqual(["Nothing is running here."]);
});

test("/stop ends a turn that still runs after the chat started another conversation", async () => {
  const gate = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  await using world = await startWorld({
    answer: (text) => {
      if (text === "Two") return `Re: ${text}`;
      begun.resolve();
      return gate.promise;
    },
  });
  world.service.say("One");
  await begun.promise;
  for (const name of ["new", "stop"]) world.command(name);
  world.service.say("Two");
  await world.service.until(() => world.service.unconfirmed === 0);
  gate.resolve("too late");
  await world.rest();

  expect(world.service.texts()).toEqual(["Your next message starts a new conversation.", "Stopped.", "Re: Two"]);
});

test("messages may be an emoji or 100 KB, and an empty message is ignored", async () => {
  await using world = await startWorld({ answer: (text) => `${text.length}` });
  const large = "x".repeat(100_000);
  const answers = await answersTo(world, "👍", large, " \n ", "y".repeat(300_000));

  expect(answers.slice(0, 3)).toEqual(["2", "100000", ""]);
  expect(Number(answers[3])).toBeLessThan(200_100);
});

test("a full disk leaves messages at the service until there is room", async () => {
  const service = new TestService({ settings: { people: ["ada"] } });
  const first = await startWorld({ service });
  const { storage } = first;
  await first.rest();
  await first[Symbol.asyncDispose]();
  let isFull = true;
  const limited: typeof storage = {
    ...storage,
    atomic: (checks, writes, options) =>
      isFull && writes.some(({ key }) => key.startsWith("seen/") || key.startsWith("chat/"))
        ? Promise.reject(new Error("the disk is full"))
        : storage.atomic(checks, writes, options),
  };
  await using world = await startWorld({ service, storage: limited });
  service.say("One");
  await world.clock.advance(10_000);
  const before = [service.unconfirmed, service.sent.length];
  isFull = false;
  await world.rest();

  expect(before).toEqual([1, 0]);
  expect(world.asked).toEqual(["One"]);
  expect(service.texts()).toEqual(["Re: One"]);
});

test("a disk that fills up after delivery keeps the message sent once there is room", async () => {
  const storage = createMemoryStorage();
  let isFull = false;
  const limited: StorageDriver = {
    ...storage,
    atomic: (checks, writes, options) =>
      isFull ? Promise.reject(new Error("the disk is full")) : storage.atomic(checks, writes, options),
  };
  await using world = await startWorld({ storage: limited });
  world.service.deliver = () => {
    isFull = true;
    return { kind: "sent", messageId: "m" };
  };
  world.service.say("One");
  await world.service.until(() => world.service.sent.length === 1);
  await world.clock.advance(10_000);
  const [before] = await world.outbox();
  isFull = false;
  await world.rest();

  expect(before?.state).toBe("sending");
  expect(await world.outbox()).toMatchObject([{ text: "Re: One", state: "sent", attempts: 1 }]);
  expect(world.service.texts()).toEqual(["Re: One"]);
});
