import { createMemoryStorage, TestService } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { ChatsWorld } from "./testing/chats-world.ts";

const hourMs = 3_600_000;

function nobodyMayTalk(): TestService {
  return new TestService({ settings: { groups: ["g"] } });
}

test("an unpaired sender gets one line a day with their id, without model calls", async () => {
  const storage = createMemoryStorage();
  const service = nobodyMayTalk();
  const first = await ChatsWorld.start({ service, storage });
  for (const text of ["Hello?", "Anybody?"]) service.say(text, { sender: { id: "eve" } });
  service.give({ kind: "command", name: "status", argument: "" }, { sender: { id: "eve" } });
  await first.rest();
  await first[Symbol.asyncDispose]();

  await using world = await ChatsWorld.start({ service, storage, clock: first.clock });
  service.say("Still there?", { sender: { id: "eve" } });
  await world.rest();
  const before = [...service.texts("eve")];
  await world.clock.advance(25 * hourMs);
  service.say("And today?", { sender: { id: "eve" } });
  await world.rest();

  expect(before).toEqual([expect.stringContaining("(Your id is eve.)")]);
  expect(service.texts("eve")).toEqual([before[0] ?? "", before[0] ?? ""]);
  expect([...first.asked, ...world.asked]).toEqual([]);
  expect((await world.conversations.list({ limit: 10 })).items).toEqual([]);
});

test("a pairing code admits its first sender, with or without /start, and no one after", async () => {
  await using world = await ChatsWorld.start({ service: nobodyMayTalk() });
  const { service, chats } = world;
  const { code } = await chats.createPairingCode("test");
  const { code: other } = await chats.createPairingCode("test");

  service.say(code.toLowerCase().replace("-", ""), { sender: { id: "ada", name: "Ada" } });
  await world.rest();
  service.say(code, { sender: { id: "eve" } });
  service.give({ kind: "command", name: "start", argument: other }, { sender: { id: "bob", name: "Bob" } });
  await world.rest();
  for (const id of ["ada", "bob", "eve"]) service.say(`I am ${id}`, { sender: { id } });
  await world.rest();

  expect(service.texts("ada")).toEqual([expect.stringContaining("Welcome, Ada!"), "Re: I am ada"]);
  expect(service.texts("bob")).toEqual([expect.stringContaining("Welcome, Bob!"), "Re: I am bob"]);
  expect(service.texts("eve").some((text) => text.startsWith("Re:"))).toBe(false);
  expect(await chats.people("test")).toMatchObject([
    { id: "ada", name: "Ada", source: "pairing" },
    { id: "bob", name: "Bob", source: "pairing" },
  ]);
});

test("a paired person stays paired across a restart, until removed", async () => {
  const storage = createMemoryStorage();
  const service = nobodyMayTalk();
  const first = await ChatsWorld.start({ service, storage });
  const { code } = await first.chats.createPairingCode("test");
  service.say(code);
  await first.rest();
  await first[Symbol.asyncDispose]();

  await using world = await ChatsWorld.start({ service, storage });
  await world.say("One");
  await world.chats.removePerson("test", "ada");
  await world.say("Two");

  expect(world.asked).toEqual(["One"]);
  const gone = await world.chats.removePerson("test", "ada").catch((error: unknown) => error);
  expect(gone).toMatchObject({ code: "PERSON_UNKNOWN" });
});

test("removing a person drops their unanswered messages, and others keep theirs", async () => {
  const storage = createMemoryStorage();
  const service = nobodyMayTalk();
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await using world = await ChatsWorld.start({
    service,
    storage,
    answer: async (text) => {
      begun.resolve();
      await held.promise;
      return `Re: ${text}`;
    },
  });
  for (const id of ["ada", "bob"]) {
    const { code } = await world.chats.createPairingCode("test");
    service.say(code, { sender: { id } });
    await world.rest();
  }
  const group = { id: "g", kind: "group", title: "Team" } as const;
  for (const id of ["ada", "bob", "ada"]) service.say(`Of ${id}`, { sender: { id, name: id }, chat: group });
  await begun.promise;
  while (service.unconfirmed > 0) await new Promise<void>((resolve) => setImmediate(resolve));
  await world.chats.removePerson("test", "ada");
  held.resolve();
  await world.rest();

  expect(world.asked).toEqual(["ada: Of ada", "bob: Of bob"]);
  expect(service.texts("g")).toEqual(["Re: bob: Of bob"]);
});

test("a person from the configuration cannot be removed", async () => {
  await using world = await ChatsWorld.start();
  const refused = await world.chats.removePerson("test", "ada").catch((error: unknown) => error);

  expect(refused).toMatchObject({ code: "PERSON_CONFIGURED" });
  expect(await world.chats.people("test")).toMatchObject([{ id: "ada", source: "configuration", name: null }]);
});

test("a pairing code expires after ten minutes and is stored only as a hash", async () => {
  await using world = await ChatsWorld.start({ service: nobodyMayTalk() });
  const { code } = await world.chats.createPairingCode("test");
  const [stored] = await world.storage.list("chats/chats", { prefix: "pairing/" });
  await world.clock.advance(600_000);
  await world.say(code);

  expect(JSON.stringify(stored?.value)).not.toContain(code.replace("-", ""));
  expect(await world.chats.people("test")).toEqual([]);
});

test("a sender is ignored after five wrong codes, and a hundred void all codes", async () => {
  await using world = await ChatsWorld.start({ service: nobodyMayTalk() });
  const { service } = world;
  const { code } = await world.chats.createPairingCode("test");
  const wrong = (index: number): string => ("ABCDEFGHJKLMNPQRSTUVWXYZ"[index % 24] ?? "A").repeat(8);

  for (let index = 0; index < 8; index += 1) service.say(wrong(index), { sender: { id: "eve" } });
  service.say(code, { sender: { id: "eve" } });
  await world.rest();
  const toldEve = service.texts("eve").filter((text) => text.startsWith("This code is unknown"));
  const afterEve = await world.chats.people("test");
  for (let index = 0; index < 100; index += 1) service.say(wrong(index), { sender: { id: `m${index % 25}` } });
  await world.rest();
  await world.say(code);

  expect(toldEve).toHaveLength(5);
  expect(afterEve).toEqual([]);
  expect(await world.chats.people("test")).toEqual([]);
  expect(world.asked).toEqual([]);
});

test("a wrong code delivered twice counts as one attempt and gets one answer", async () => {
  await using world = await ChatsWorld.start({ service: nobodyMayTalk() });
  const { service, chats } = world;
  const { code } = await chats.createPairingCode("test");
  service.givesTwice = true;
  for (let index = 0; index < 4; index += 1) service.say("ABCDEFGH");
  await world.rest();
  await world.say(code);

  expect(service.texts().filter((text) => text.startsWith("This code is unknown"))).toHaveLength(4);
  expect(await chats.people("test")).toMatchObject([{ id: "ada" }]);
});

test("a known group is answered when a paired person addresses the bot", async () => {
  const service = new TestService({ settings: { people: ["ada"], groups: ["g"] } });
  await using world = await ChatsWorld.start({ service });
  const group = { id: "g", kind: "group", title: "Friends" } as const;
  const other = { ...group, id: "h" };
  const unaddressed = { kind: "message", messageId: "x", text: "psst", files: [], isAddressed: false } as const;

  service.say("What now?", { chat: group });
  service.say("In a thread", { chat: { ...group, id: "g/7" } });
  service.say("Me, too!", { chat: group, sender: { id: "eve", name: "Eve" } });
  service.give({ ...unaddressed, quoted: undefined }, { chat: group });
  service.give({ kind: "edit", messageId: "x", text: "psst!" }, { chat: group });
  for (const text of ["And here?", "Hello?"]) service.say(text, { chat: other });
  service.say("Eve's", { chat: other, sender: { id: "eve" } });
  await world.rest();

  expect(world.asked.toSorted()).toEqual(["Ada: In a thread", "Ada: What now?"]);
  expect(service.texts("g")).toEqual(["Re: Ada: What now?"]);
  expect(service.texts("g/7")).toEqual(["Re: Ada: In a thread"]);
  expect(service.texts("h")).toEqual([expect.stringContaining("This group is not enabled")]);
  expect(service.sent.find(({ chatId }) => chatId === "g")?.message).toMatchObject({ replyTo: "m1" });
});

test("old updates are pruned with the first message of a host, even after short runs", async () => {
  const first = await ChatsWorld.start();
  const { storage, service } = first;
  service.say("One");
  await first.rest();
  await first[Symbol.asyncDispose]();
  await first.clock.advance(72 * hourMs);

  await using world = await ChatsWorld.start({ storage, service, clock: first.clock });
  await world.chats.send("test", { chat: "ada", text: "Good morning" });
  await world.rest();
  const seen = async (): Promise<number> => (await storage.list("chats/chats", { prefix: "seen/" })).length;
  for (let turn = 0; turn < 100 && (await seen()) > 0; turn += 1)
    await new Promise<void>((resolve) => setImmediate(resolve));

  expect(await seen()).toBe(0);
});

test("a sender whose id is the name of an object property has the usual number of attempts", async () => {
  for (const id of ["constructor", "__proto__"]) {
    await using world = await ChatsWorld.start({ service: nobodyMayTalk() });
    const { service, chats } = world;
    const { code } = await chats.createPairingCode("test");
    for (let index = 0; index < 8; index += 1) service.say("ABCDEFGH", { sender: { id } });
    await world.rest();
    await world.say(code);

    expect(service.texts(id).filter((text) => text.startsWith("This code is unknown"))).toHaveLength(5);
    expect(await chats.people("test")).toMatchObject([{ id: "ada" }]);
  }
});
