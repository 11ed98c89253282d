import type { ChannelUpdate } from "@incipit/service-contract";
import { expect } from "bun:test";
import type { ChannelRun, ChannelWorld } from "./channel-world.ts";

const age = "(from 12 minutes ago)\n\n";
const fencedText = `Before\n\n\`\`\`ts\n${"const value = 1;\n".repeat(2_000)}\`\`\`\n\nBehind`;
const words = Array.from({ length: 20_000 }, (_, index) => `word${index}`);
const longText = words.map((word, index) => (index % 12 === 11 ? `${word}\n` : `${word} `)).join("");

export const channelPromises = {
  "run gives what people write, of each chat in its order": async (world) => {
    const [ada, bob] = world.service.writers;
    const run = await world.run();
    for (const text of ["one", "two", "three"]) world.service.say(text, ada);
    world.service.say("four", bob);
    await world.until("four messages", () => run.texts.length === 4);
    const of = (chatId: string): readonly string[] =>
      run.given.flatMap((update) => (update.kind === "message" && update.chat.id === chatId ? [update.text] : []));
    expect([of(ada.chatId), of(bob.chatId)]).toEqual([["one", "two", "three"], ["four"]]);
    expect(new Set(run.given.map(({ updateId }) => updateId)).size).toBe(4);
  },
  "run says who has written where, of whoever it is: who may is not its concern": async (world) => {
    const [, bob] = world.service.writers;
    const run = await world.run();
    world.service.say("Hello", bob);
    await world.until("a message", () => run.given.length === 1);
    expect(run.given).toMatchObject([
      { kind: "message", chat: { id: bob.chatId, kind: "private" }, sender: { id: bob.senderId }, files: [] },
    ]);
  },
  "run reports when it is up, and as whom": async (world) => {
    const run = await world.run();
    await world.until("a report", () => run.reports.some(({ kind }) => kind === "up"));
    expect(run.reports.find((report) => report.kind === "up")?.account.trim()).not.toBe("");
  },
  "run gives again what was not stored, the same, before what follows in its chat, while others go on": async (
    world,
  ) => {
    const [ada, bob] = world.service.writers;
    const run = await world.run();
    let isFull = true;
    run.take = async ({ chat }) => {
      if (isFull && chat.id === ada.chatId) throw new Error("the disk is full");
      return {};
    };
    world.service.say("one", ada);
    world.service.say("two", ada);
    world.service.say("other", bob);
    await world.until("the other chat", () => run.texts.includes("other"));
    isFull = false;
    await world.until("both to be taken", () => run.texts.includes("two"));
    const texts = run.texts.filter((text) => text !== "other");
    expect(texts.filter((text, index) => text !== texts[index - 1])).toEqual(["one", "two"]);
    expect(idsOf(run.given, "one").size).toBe(1);
  },
  "run after a restart gives what was not taken, and what it repeats is the same update": async (world) => {
    const [ada] = world.service.writers;
    const first = await world.run();
    const held = Promise.withResolvers<never>();
    held.promise.catch(() => undefined);
    first.take = async (update) => (update.kind === "message" && update.text === "two" ? held.promise : {});
    world.service.say("one", ada);
    world.service.say("two", ada);
    await world.until("the second one", () => first.texts.includes("two"));
    first.stop();
    held.reject(new Error("the host is stopping"));
    await world.inTime("run to end", first.ended);

    const second = await world.run();
    world.service.say("three", ada);
    await world.until("the third one", () => second.texts.includes("three"));
    expect(second.texts.slice(-2)).toEqual(["two", "three"]);
    for (const text of ["one", "two"]) expect(idsOf([...first.given, ...second.given], text).size).toBe(1);
  },
  "run ends when it is stopped, also while an update is being taken": async (world) => {
    const [ada] = world.service.writers;
    const run = await world.run();
    const held = Promise.withResolvers<never>();
    held.promise.catch(() => undefined);
    run.take = () => held.promise;
    world.service.say("one", ada);
    await world.until("a message", () => run.given.length === 1);
    run.stop();
    held.reject(new Error("the host is stopping"));
    expect(await world.inTime("run to end", run.ended)).toBeUndefined();
  },
  "run gives an edit with the id of its message": async (world) => {
    const [ada] = world.service.writers;
    const run = await world.run();
    world.service.say("Hello", ada);
    world.service.edit?.("Hello!", ada);
    await world.until("an edit", () => run.given.length === 2);
    const [message] = run.given;
    expect(run.given).toMatchObject([
      { kind: "message" },
      { kind: "edit", text: "Hello!", messageId: message?.kind === "message" ? message.messageId : "none" },
    ]);
  },
  "run gives a press with the button's id, of up to 64 bytes": async (world) => {
    const [ada] = world.service.writers;
    const run = await world.run();
    run.take = async () => ({ answer: "Allowed." });
    const button = "b".repeat(64);
    world.service.press?.(button, ada);
    await world.until("a press", () => run.given.length > 0);
    expect(run.given[0]).toMatchObject({ kind: "press", button, sender: { id: ada.senderId } });
  },
  "run gives files, and no more of them than is asked for": async (world) => {
    const [ada] = world.service.writers;
    const run = await world.run();
    const bytes = new Uint8Array(300).fill(7);
    world.service.sendFile?.(bytes, ada);
    const file = await fileOf(world, run);
    const { signal } = new AbortController();
    expect(await world.inTime("the file", file.read({ maxBytes: 300, signal }))).toEqual(bytes);
    const refused = file.read({ maxBytes: 299, signal }).then(
      () => "read",
      () => "refused",
    );
    expect(await world.inTime("the refusal", refused)).toBe("refused");
  },
  "split gives no empty part, and all of a text in its order": async (world) => {
    const { split } = bound(await world.connect());
    const parts = split(longText);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.filter((part) => part.trim() === "")).toEqual([]);
    expect(wordsIn(parts)).toEqual(words);
    for (const text of ["👍", "a", " a ", "- a\n- b", "🎈".repeat(5_000)])
      expect(split(text).length).toBeGreaterThan(0);
  },
  "split leaves no fence open, and opens it again in the next part": async (world) => {
    const { split } = bound(await world.connect());
    for (const part of split(fencedText))
      expect(part.match(/^```/gm)?.length ?? 0).toSatisfy((marks) => marks % 2 === 0);
    expect(
      split(fencedText)
        .join("\n")
        .match(/const value = 1;/g),
    ).toHaveLength(2_000);
  },
  "split leaves the age of a text in front of it": async (world) => {
    const { split } = bound(await world.connect());
    for (const text of ["Hello", longText]) expect(split(`${age}${text}`)[0]).toStartWith(age);
  },
  "send gives each part of a split to the service, once and in order": async (world) => {
    const [ada] = world.service.writers;
    const channel = await world.connect();
    const parts = channel.split(longText);
    for (const part of parts) expect(await world.send(channel, ada.chatId, part)).toMatchObject({ kind: "sent" });
    const taken = world.service.taken();
    expect(taken.map(({ chatId }) => chatId)).toEqual(parts.map(() => ada.chatId));
    expect(wordsIn(taken.map(({ text = "" }) => text))).toEqual(words);
  },
  "send gives a message id of its own to each message": async (world) => {
    const [ada] = world.service.writers;
    const channel = await world.connect();
    const sent = [await world.send(channel, ada.chatId, "one"), await world.send(channel, ada.chatId, "two")];
    const ids = sent.flatMap((delivery) => (delivery.kind === "sent" ? [delivery.messageId] : []));
    expect(new Set(ids).size).toBe(2);
  },
  "send says that the service takes it later, and when": async (world) => {
    const delivery = await mishap(world, "later");
    expect(delivery.kind === "later" ? delivery.afterMs : delivery).toBeGreaterThan(0);
  },
  "send says that the service never takes it, and why": async (world) => {
    const delivery = await mishap(world, "failed");
    expect(delivery).toMatchObject({ kind: "failed", why: expect.stringMatching(/\S/) });
  },
  "send says that nobody knows, when the answer did not come": async (world) => {
    const delivery = await mishap(world, "unknown");
    expect(delivery).toMatchObject({ kind: "unknown", why: expect.stringMatching(/\S/) });
  },
  "send that is stopped before gives nothing to the service": async (world) => {
    const [ada] = world.service.writers;
    const channel = await world.connect();
    const message = { kind: "text", text: "Hello", buttons: [], replyTo: undefined } as const;
    const sent = channel.send(ada.chatId, message, AbortSignal.abort()).then(
      ({ kind }) => kind,
      () => "rejected",
    );
    expect(["rejected", "unknown"]).toContain(await world.inTime("send to end", sent));
    expect(world.service.attempts()).toBe(0);
  },
  "send gives a file as it is": async (world) => {
    const [ada] = world.service.writers;
    const channel = await world.connect();
    const bytes = new Uint8Array(200).fill(9);
    const message = { kind: "file", name: "a.bin", mediaType: "application/octet-stream", bytes } as const;
    const { signal } = new AbortController();
    const delivery = await world.inTime("send to end", channel.send(ada.chatId, message, signal));
    expect(delivery).toMatchObject({ kind: "sent" });
    expect(world.service.taken()).toMatchObject([{ chatId: ada.chatId, bytes }]);
  },
  "showProgress ends, and sends no message": async (world) => {
    const [ada] = world.service.writers;
    const channel = await world.connect();
    const { signal } = new AbortController();
    await world.inTime(
      "showProgress to end",
      channel.showProgress?.(ada.chatId, "Half of", signal) ?? Promise.resolve(),
    );
    expect(world.service.taken()).toEqual([]);
  },
} as const satisfies Record<string, (world: ChannelWorld) => Promise<void>>;

/** Without retries. */
async function mishap(world: ChannelWorld, kind: "later" | "failed" | "unknown"): ReturnType<ChannelWorld["send"]> {
  const [ada] = world.service.writers;
  const channel = await world.connect();
  world.service.mishap(kind);
  const delivery = await world.send(channel, ada.chatId, "Hello");
  expect(world.service.attempts()).toBe(1);
  return delivery;
}

function bound(channel: Awaited<ReturnType<ChannelWorld["connect"]>>): { readonly split: typeof channel.split } {
  return { split: (markdown) => channel.split(markdown) };
}

function wordsIn(parts: readonly string[]): readonly string[] {
  return parts.flatMap((part) => part.match(/word\d+/g) ?? []);
}

function idsOf(given: readonly ChannelUpdate[], text: string): ReadonlySet<string> {
  return new Set(
    given.flatMap((update) => (update.kind === "message" && update.text === text ? [update.updateId] : [])),
  );
}

async function fileOf(
  world: ChannelWorld,
  run: ChannelRun,
): Promise<Extract<ChannelUpdate, { kind: "message" }>["files"][number]> {
  await world.until("a file", () => run.given.length > 0);
  const [update] = run.given;
  const [file] = update?.kind === "message" ? update.files : [];
  if (file === undefined) throw new Error("The update has no file");
  return file;
}
