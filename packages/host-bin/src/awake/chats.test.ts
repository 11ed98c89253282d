import type { StorageDriver } from "@incipit/kernel";
import { createMemoryStorage, FakeClock, TestService } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { askingTool } from "./testing/asking-tool.ts";
import { ChatsWorld } from "./testing/chats-world.ts";

const interrupted = "I was interrupted and could not finish that. Please send it again.";

test("chat messages are answered in order in one conversation", async () => {
  await using world = await ChatsWorld.start();

  await world.say("One", "Two");

  expect(world.service.texts("ada")).toEqual(["Re: One", "Re: Two"]);
  expect(await world.said()).toEqual(["One", "Two"]);
  expect((await world.conversations.list({ limit: 10 })).items).toMatchObject([{ title: "Ada (test)" }]);
});

test("an update delivered twice is one turn", async () => {
  await using world = await ChatsWorld.start();
  world.service.givesTwice = true;

  world.service.say("One");
  world.command("help");
  await world.rest();

  expect(world.asked).toEqual(["One"]);
  expect(world.service.texts()).toHaveLength(2);
});

test("a thousand simultaneous chats are answered without leaving a timer", async () => {
  const people = Array.from({ length: 1_000 }, (_, index) => `p${index}`);
  await using world = await ChatsWorld.start({ service: new TestService({ settings: { people } }) });
  world.service.say("The first one", { sender: { id: "p0" } });
  await world.rest();
  const before = world.clock.pending;

  for (const id of people) world.service.say(`I am ${id}`, { sender: { id } });
  await world.rest();

  expect(people.filter((id) => world.service.texts(id).at(-1) !== `Re: I am ${id}`)).toEqual([]);
  expect(world.clock.pending).toBeLessThanOrEqual(before);
}, 300_000);

test("the queue rejects messages beyond twenty with one line until there is room", async () => {
  const gate = Promise.withResolvers<void>();
  await using world = await ChatsWorld.start({ answer: async (text) => gate.promise.then(() => `Re: ${text}`) });

  for (let count = 1; count <= 30; count += 1) world.service.say(`${count}`);
  await world.service.until(() => world.service.unconfirmed === 0 && world.service.sent.length === 1);
  gate.resolve();
  await world.rest();
  await world.say("again");

  const [refusal = "", ...replies] = world.service.texts();
  expect(refusal).toContain("20 of yours are still waiting");
  expect(replies).toEqual([...Array.from({ length: 20 }, (_, index) => `Re: ${index + 1}`), "Re: again"]);
});

test("an edit replaces a queued message, or follows a started one as new", async () => {
  const gate = Promise.withResolvers<void>();
  await using world = await ChatsWorld.start({ answer: async (text) => gate.promise.then(() => `Re: ${text}`) });
  const { service } = world;

  const first = service.say("first");
  const second = service.say("second");
  await service.until(() => service.unconfirmed === 0);
  service.give({ kind: "edit", messageId: second, text: "second, edited" });
  service.give({ kind: "edit", messageId: first, text: "first, edited" });
  await service.until(() => service.unconfirmed === 0);
  gate.resolve();
  await world.rest();

  const edited = "[An earlier message was edited. It says:]\n\nfirst, edited";
  expect(world.asked).toEqual(["first", "second, edited", edited]);
  expect(service.texts()).toEqual(["Re: first", "Re: second, edited", `Re: ${edited}`]);
});

test("a failed turn sends the text it has and one line, each once, and the next one runs", async () => {
  const failure = new Error("the model is tired");
  await using world = await ChatsWorld.start({
    answer: (text) => (text === "bad" ? failure : text === "half" ? { text: "Half of it", failure } : "fine"),
  });

  await world.say("bad", "half", "good");

  const line = "Sorry, that did not work: the model is tired.";
  expect(world.service.texts()).toEqual([line, "Half of it", line, "fine"]);
});

test("a truncated reply is followed by one line that reports it", async () => {
  const cutReasons = { long: "length", bad: "content-filter" } as const;
  await using world = await ChatsWorld.start({
    answer: (text) =>
      text === "long" || text === "bad" ? { text: `Half of ${text}`, cutReason: cutReasons[text] } : "whole",
  });

  for (const text of ["long", "bad", "good"]) world.service.say(text);
  await world.rest();

  expect(world.service.texts()).toEqual([
    "Half of long",
    expect.stringMatching(/^\(The reply is cut off: .*\.\)$/),
    "Half of bad",
    expect.stringMatching(/^\(The reply is incomplete: .*blocked it.*\.\)$/),
    "whole",
  ]);
});

test("a conversation deleted on the page is replaced by a new one", async () => {
  await using world = await ChatsWorld.start();
  await world.say("One");
  const [conversation] = (await world.conversations.list({ limit: 1 })).items;
  if (conversation !== undefined) await world.conversations.delete(conversation.id);

  await world.say("Two");

  expect(world.service.texts()).toEqual(["Re: One", "Re: Two"]);
});

test("messages of the page to a chat's conversation are answered only on the page", async () => {
  await using world = await ChatsWorld.start();
  await world.say("One");
  const [conversation] = (await world.conversations.list({ limit: 1 })).items;
  if (conversation === undefined) throw new Error("No conversation");

  const sent = await world.conversations.send(conversation.id, { input: "From the page" });
  for await (const event of world.conversations.follow(conversation.id, sent)) if (event.type === "turn-end") break;
  await world.rest();

  expect(await world.said()).toEqual(["One", "From the page"]);
  expect(world.service.texts()).toEqual(["Re: One"]);
});

test("a long reply is sent in ordered parts, each once despite rate limits", async () => {
  const long = Array.from({ length: 60 }, (_, index) => `line ${index}`).join("\n");
  const service = new TestService({ settings: { people: ["ada"] }, maxLength: 120 });
  await using world = await ChatsWorld.start({ service, answer: () => long });
  let tries = 0;
  service.deliver = () => {
    tries += 1;
    return tries % 2 === 1
      ? { kind: "later", afterMs: 3_000, why: "Too many" }
      : { kind: "sent", messageId: `${tries}` };
  };

  await world.say("Tell me");

  expect(service.texts().join("\n")).toBe(long);
  expect(service.texts().length).toBeGreaterThan(3);
  expect(tries).toBe(service.texts().length * 2);
});

test("rejected messages are failed, uncertain ones unknown, and both can be sent again once", async () => {
  await using world = await ChatsWorld.start();
  const kinds = ["failed", "unknown", "sent"] as const;
  let count = 0;
  world.service.deliver = () => {
    const kind = kinds[count] ?? "sent";
    count += 1;
    return kind === "sent" ? { kind, messageId: "m" } : { kind, why: `It is ${kind}` };
  };
  for (const text of ["a", "b", "c"]) world.service.say(text);
  await world.rest();
  const before = await world.outbox();
  const [channel] = await world.chats.channels();

  const again = await Promise.all(before.slice(0, 2).map(({ id }) => world.chats.retry("test", id)));
  const refused = await Promise.all(
    before.map(({ id }) => world.chats.retry("test", id).catch((error: unknown) => error)),
  );
  await world.rest();

  expect(before.map(({ state, why }) => [state, why])).toEqual([
    ["failed", "It is failed"],
    ["unknown", "It is unknown"],
    ["sent", null],
  ]);
  expect(channel).toMatchObject({ id: "test", state: "up", account: "@test", waiting: 0, unknown: 1, failed: 1 });
  expect(again.map(({ text, state }) => [text, state])).toEqual([
    ["Re: a", "waiting"],
    ["Re: b", "waiting"],
  ]);
  expect(refused).toMatchObject(before.map(() => ({ code: "MESSAGE_NOT_RETRYABLE" })));
  expect(world.service.texts()).toEqual(["Re: c", "Re: a", "Re: b"]);
  expect(await world.chats.channels()).toMatchObject([{ unknown: 0, failed: 0 }]);
});

test("late messages show their age, and messages older than a day are not sent", async () => {
  await using world = await ChatsWorld.start();
  let isUp = false;
  world.service.deliver = () =>
    isUp ? { kind: "sent", messageId: "m" } : { kind: "later", afterMs: 60_000, why: "The service is down" };
  world.service.say("old");
  await world.outboxHas(1);
  await world.clock.advance(23 * 3_600_000);
  world.service.say("new");
  await world.outboxHas(2);
  await world.clock.advance(2 * 3_600_000);
  isUp = true;
  await world.rest();

  expect(world.service.texts()).toEqual(["(from 2 hours ago)\n\nRe: new"]);
  expect(await world.outbox()).toMatchObject([
    { text: "Re: old", state: "failed", why: "Sending failed for a day: The service is down" },
    { text: "Re: new", state: "sent" },
  ]);
});

test("an unavailable service is retried once a minute, respecting its retry delay", async () => {
  await using world = await ChatsWorld.start();
  const tries: number[] = [];
  let afterMs = 5_000;
  world.service.deliver = () => {
    tries.push(world.clock.now());
    return { kind: "later", afterMs, why: "The service is down" };
  };
  const pass = async (minutes: number): Promise<number> => {
    const before = tries.length;
    for (let left = minutes * 60; left > 0; left -= 1) {
      await world.clock.advance(1_000);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return tries.length - before;
  };
  world.service.say("Hello");
  await world.outboxHas(1);

  const [first, then] = [await pass(5), await pass(20)];
  afterMs = 150_000;
  await pass(2);
  const asked = await pass(10);

  expect(first).toBeGreaterThanOrEqual(8);
  expect(then).toBeWithin(19, 22);
  expect(asked).toBeWithin(3, 5);
});

test("a clock set back does not prolong any wait", async () => {
  const first = await ChatsWorld.start();
  const { storage, service } = first;
  service.deliver = () => ({ kind: "later", afterMs: 3_000, why: "Too many" });
  service.say("One");
  await first.outboxHas(1);
  await first[Symbol.asyncDispose]();
  service.deliver = () => ({ kind: "sent", messageId: "m" });
  const startMs = Date.UTC(2026) - 6 * 3_600_000;

  await using second = await ChatsWorld.start({ storage, service, clock: new FakeClock(startMs) });
  service.say("Two");
  await second.rest();

  expect(service.texts()).toEqual(["Re: One", "Re: Two"]);
  expect(second.clock.now() - startMs).toBeLessThan(60_000);
});

test("a call that never returns leaves the message unknown, and the next is sent", async () => {
  await using world = await ChatsWorld.start();
  world.service.deliver = ({ message }) =>
    message.kind === "text" && message.text === "Re: a"
      ? new Promise(() => undefined)
      : { kind: "sent", messageId: "m" };

  await world.say("a", "b");

  expect((await world.outbox()).map(({ text, state }) => [text, state])).toEqual([
    ["Re: a", "unknown"],
    ["Re: b", "sent"],
  ]);
});

test("a restart during a turn notifies the chat, and queued messages are answered", async () => {
  const gate = Promise.withResolvers<string>();
  const first = await ChatsWorld.start({ answer: () => gate.promise });
  const { storage, service } = first;
  service.say("One");
  service.say("Two");
  await service.until(() => service.unconfirmed === 0);
  await first[Symbol.asyncDispose]();

  await using second = await ChatsWorld.start({ storage, service });
  await second.rest();

  expect(service.texts()).toEqual([interrupted, "Re: Two"]);
});

test("progress of a reply is shown at most once a second and never after it", async () => {
  await using world = await ChatsWorld.start();
  await world.say("One", "Two");

  const times = world.service.progress.map(({ atMs }) => atMs);
  expect(times.length).toBeGreaterThan(0);
  expect(times.length).toBeLessThanOrEqual(2);
});

test("a tool call is approved by button by an approver, and stale buttons fail", async () => {
  const ran: string[] = [];
  const service = new TestService({ settings: { people: ["ada", "bob"], approvers: ["bob"], groups: ["g"] } });
  await using world = await ChatsWorld.start({
    service,
    extensions: [askingTool(ran)],
    defaults: { model: "tool/model" },
  });
  const chat = { id: "g", kind: "group", title: "Painters" } as const;
  service.say("Paint it", { chat });
  await service.until(() => service.sent.length === 1);
  const [asked] = service.sent;
  const buttons = asked?.message.kind === "text" ? asked.message.buttons : [];
  const press = (label: string, id: string): Promise<void> =>
    world.press(buttons.find((found) => found.label === label)?.id ?? "", { chat, sender: { id, name: id } });

  await press("Allow", "ada");
  await press("Allow", "eve");
  const before = [...ran];
  await press("Allow", "bob");
  await world.rest();
  await press("Deny", "bob");

  expect(service.texts()[0]).toContain("`paint`");
  expect(service.texts()[0]).toContain("colour: red");
  expect(service.texts()[0]).toContain(
    'Always, in this conversation: `every call of "paint", whatever it is called with`',
  );
  expect(buttons.map(({ label }) => label)).toEqual(["Allow", "Always", "Deny"]);
  expect(buttons.filter(({ id }) => Buffer.byteLength(id) > 64)).toEqual([]);
  expect(before).toEqual([]);
  expect(ran).toEqual(['{"colour":"red"}']);
  expect(service.answers).toEqual([
    "You may not answer this.",
    "You may not answer this.",
    "Allowed.",
    "This question has closed: it was answered elsewhere, or timed out.",
  ]);
  expect(service.texts()[1]).toBe("Done.");
});

test("[attack:question-chat-press] a forged button press cannot allow an incompletely shown call", async () => {
  const ran: string[] = [];
  const service = new TestService({ settings: { people: ["ada"] } });
  const input = { colour: `red${" ".repeat(100_000)}; rm -rf everything` };
  await using world = await ChatsWorld.start({
    service,
    extensions: [askingTool(ran, { input })],
    defaults: { model: "tool/model" },
  });
  service.say("Paint it");
  await service.until(() => service.sent.length === 1);
  const [asked] = service.sent;
  const buttons = asked?.message.kind === "text" ? asked.message.buttons : [];
  const [deny = ""] = buttons.map(({ id }) => id);

  await world.press(deny.replace("deny:", "allow:"));
  await world.press(deny.replace("deny:", "allow-always:"));
  const before = [...ran];
  await world.press(deny);
  await world.rest();

  expect(buttons.map(({ label }) => label)).toEqual(["Deny"]);
  expect(service.texts()[0]).toContain("you can only deny it here");
  expect([before, ran]).toEqual([[], []]);
  expect(service.answers).toEqual([
    "You can only allow or deny here.",
    "You can only allow or deny here.",
    "Denied.",
  ]);
});

test("[attack:question-chat-part] a question with an undelivered part can only be denied in the chat", async () => {
  const ran: string[] = [];
  const service = new TestService({ settings: { people: ["ada"] } });
  const input = { colour: `red; rm -rf everything ${"very ".repeat(3_000)}` };
  await using world = await ChatsWorld.start({
    service,
    extensions: [askingTool(ran, { input })],
    defaults: { model: "tool/model" },
  });
  let parts = 0;
  service.deliver = () => {
    parts += 1;
    return parts === 1 ? { kind: "failed", why: "Bad formatting" } : { kind: "sent", messageId: `${parts}` };
  };
  const buttonsSent = (): readonly string[] =>
    service.sent.flatMap(({ message }) => (message.kind === "text" ? message.buttons : [])).map(({ id }) => id);
  service.say("Paint it");
  await service.until(() => buttonsSent().length > 0);
  const [deny = ""] = buttonsSent();

  await world.press(deny.replace("deny:", "allow:"));
  await world.press(deny);
  await world.rest();

  expect(parts).toBeGreaterThan(2);
  expect(buttonsSent()).toEqual([deny]);
  expect(service.texts().join("")).toContain("Part of this question could not be sent");
  expect(ran).toEqual([]);
  expect(service.answers).toEqual(["You can only allow or deny here.", "Denied."]);
});

test("a chat uses its own settings, and a topic its group's, including approvers", async () => {
  const ran: string[] = [];
  const service = new TestService({
    settings: {
      people: ["ada", "bob"],
      groups: ["g"],
      cwd: "/tmp",
      chats: new Map([
        ["g", { model: "tool/model", approvers: ["bob"] }],
        ["g/7", { cwd: "/usr" }],
        ["bob", { model: "tool/none" }],
        ["eve", { model: "tool/none" }],
      ]),
    },
  });
  await using world = await ChatsWorld.start({ service, extensions: [askingTool(ran)] });
  const topic = { id: "g/7", kind: "group", title: "Painters" } as const;
  service.say("Paint it", { chat: topic });
  await service.until(() => service.sent.length === 1);
  const [asked] = service.sent;
  const buttons = asked?.message.kind === "text" ? asked.message.buttons : [];
  for (const id of ["ada", "bob"])
    await world.press(buttons[0]?.id ?? "", { chat: topic, sender: { id, name: id } });
  service.give({ kind: "command", name: "status", argument: "" }, { sender: { id: "bob" } });
  service.say("Hello", { sender: { id: "eve" } });
  await world.rest();
  const { items } = await world.conversations.list({ limit: 10 });

  expect(service.answers).toEqual(["You may not answer this.", "Allowed."]);
  expect(items.map(({ model, cwd }) => ({ model, cwd }))).toEqual([{ model: "tool/model", cwd: "/usr" }]);
  expect(service.texts("bob")).toMatchObject([expect.stringContaining("tool/none")]);
  expect(service.texts("eve")).toMatchObject([expect.stringContaining("I only talk to paired people")]);
});

test("a removed channel is listed as off and accepts no messages", async () => {
  const service = new TestService({ settings: { people: ["ada"] } });
  const world = await ChatsWorld.start({ service });
  await world.say("One");
  await world.started.kernel.unload("channel-test");
  const [off] = await world.chats.channels();
  const refused = await world.chats.send("test", { chat: "ada", text: "Hi" }).catch((error: unknown) => error);
  const unknown = await world.chats.people("none").catch((error: unknown) => error);
  await world[Symbol.asyncDispose]();

  expect(off).toMatchObject({ id: "test", state: "off" });
  expect(refused).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(unknown).toMatchObject({ code: "CHANNEL_UNKNOWN" });
});

test("a replaced channel finishes its pending send first, and nothing is sent twice", async () => {
  await using world = await ChatsWorld.start();
  const gate = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let count = 0;
  world.service.deliver = async () => {
    count += 1;
    if (count === 1) {
      held.resolve();
      await gate.promise;
    }
    return { kind: "sent", messageId: `${count}` };
  };
  world.service.say("One");
  world.service.say("Two");
  await held.promise;
  const swapped = world.started.kernel.swap("channel-test");
  for (let turn = 0; turn < 50; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  gate.resolve();
  await world.clock.advanceUntil(swapped);
  await world.rest();

  expect(world.service.texts()).toEqual(["Re: One", "Re: Two"]);
  expect((await world.outbox()).map(({ state }) => state)).toEqual(["sent", "sent"]);
  expect(await world.chats.channels()).toMatchObject([{ state: "up", unknown: 0 }]);
});

test("an update in progress while its channel is replaced is redelivered and becomes one turn", async () => {
  const storage = createMemoryStorage();
  const gate = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let isHeld = false;
  const slow: StorageDriver = {
    ...storage,
    async atomic(checks, writes, options) {
      if (!isHeld && writes.some(({ key }) => key.startsWith("owed/"))) {
        isHeld = true;
        held.resolve();
        await gate.promise;
      }
      return storage.atomic(checks, writes, options);
    },
  };
  await using world = await ChatsWorld.start({ storage: slow });
  world.service.say("One");
  await held.promise;
  const swapped = world.started.kernel.swap("channel-test");
  for (let turn = 0; turn < 50; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  gate.resolve();
  await world.clock.advanceUntil(swapped);
  await world.rest();

  expect(world.asked).toEqual(["One"]);
  expect(world.service.texts()).toEqual(["Re: One"]);
});
