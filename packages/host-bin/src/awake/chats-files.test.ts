import media from "@incipit/attachments";
import type { ChannelFile } from "@incipit/service-contract";
import type { TestService } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { ChatsWorld } from "./testing/chats-world.ts";

function fileOf(bytes: Uint8Array<ArrayBuffer>, name: string, mediaType: string): ChannelFile {
  return {
    name,
    mediaType,
    sizeBytes: undefined,
    async read({ maxBytes }) {
      if (bytes.length > maxBytes) throw new Error("it has more bytes than a file may have");
      return bytes;
    },
  };
}

function give(service: TestService, text: string, ...files: readonly ChannelFile[]): void {
  service.give({ kind: "message", messageId: "f", text, files, isAddressed: true, quoted: undefined });
}

const small = new TextEncoder().encode("a,b\n1,2\n");

test("a host without media informs the model that a file is unavailable", async () => {
  await using world = await ChatsWorld.start();
  give(world.service, "Look", fileOf(small, "table.csv", "text/csv"));
  await world.rest();

  // Some providers join the texts of a message without a separator.
  expect(world.asked).toEqual([
    'Look\n\n[A file "table.csv" was sent, and is not here: this host takes no files.]',
  ]);
});

test("files are stored for the model, except oversized ones", async () => {
  await using world = await ChatsWorld.start({ extensions: [media] });
  const large = fileOf(new Uint8Array(1_001), "large.bin", "application/octet-stream");
  give(world.service, "Look", fileOf(small, "table.csv", "text/csv"), large);
  await world.rest();

  const said = (await world.said()).join("\n");
  expect(said).toContain("Look");
  expect(said).toContain("table");
  expect(said).toContain('"large.bin" was sent, and is not here: it has more bytes than a file may have.]');
  expect([...world.started.files.values()].map((bytes) => new TextDecoder().decode(bytes))).toContain("a,b\n1,2\n");
  expect(world.service.texts()).toHaveLength(1);
});

test("a picture for a text-only model is stored as a file", async () => {
  await using world = await ChatsWorld.start({ extensions: [media] });
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
  give(world.service, "Look", fileOf(bytes, "cat.png", "image/png"));
  await world.rest();

  expect(world.asked).toEqual([expect.stringMatching(/^Look.*sent a file: \.incipit\/inbox\/.*-cat\.png/s)]);
  expect(world.service.texts()).toEqual([expect.stringContaining("Re: Look")]);
  expect([...world.started.files.values()]).toContainEqual(bytes);
});

test("the text of a reply and its rejected files are sent in order", async () => {
  await using world = await ChatsWorld.start({
    extensions: [media],
    answer: () => "Here it is:\n\nMEDIA:./missing.png\n\nThat was it.",
  });
  await world.say("Draw");
  await world.say("And?");

  const texts = world.service.texts();
  expect(texts[0]).toBe("Here it is:");
  expect(texts[1]).toStartWith("MEDIA:./missing.png\n(Not sent: ");
  expect(texts[2]).toBe("That was it.");
  // The model is informed once, with the next message.
  expect(world.asked[0]).toBe("Draw");
  expect(world.asked[1]).toContain("missing.png");
  expect(world.asked[1]).toEndWith("And?");
});

test("a reply's file is sent in place, and read at each attempt", async () => {
  await using world = await ChatsWorld.start({
    extensions: [media],
    files: { "/work/table.csv": "a,b" },
    answer: () => "Here:\nMEDIA:./table.csv\nDone.",
  });
  let count = 0;
  world.service.deliver = () => {
    count += 1;
    return count === 2 ? { kind: "unknown", why: "It was cut off" } : { kind: "sent", messageId: "m" };
  };
  await world.say("Send it");
  const [, file] = await world.outbox();
  await world.chats.retry("test", file?.id ?? "");
  await world.rest();

  expect(file).toMatchObject({ kind: "file", text: "table.csv", state: "unknown" });
  expect(world.service.sent.map(({ message }) => (message.kind === "text" ? message.text : message.name))).toEqual([
    "Here:",
    "Done.",
    "table.csv",
  ]);
  const sent = world.service.sent.at(-1)?.message;
  expect(sent?.kind === "file" ? new TextDecoder().decode(sent.bytes) : sent).toBe("a,b");
});

test("a file for a deleted conversation is stored in its replacement", async () => {
  await using world = await ChatsWorld.start({ extensions: [media] });
  await world.say("One");
  const [conversation] = (await world.conversations.list({ limit: 1 })).items;
  if (conversation !== undefined) await world.conversations.delete(conversation.id);

  give(world.service, "Look", fileOf(small, "table.csv", "text/csv"));
  await world.rest();

  expect(world.asked.at(-1)).toContain("table.csv");
  expect(world.service.texts()).toHaveLength(2);
});

test("an edit of a queued caption keeps the file and the reply target", async () => {
  const gate = Promise.withResolvers<void>();
  await using world = await ChatsWorld.start({
    extensions: [media],
    answer: async () => gate.promise.then(() => "Seen."),
  });
  const { service } = world;
  service.say("first");
  const files = [fileOf(small, "table.csv", "text/csv")];
  service.give({ kind: "message", messageId: "f", text: "Luk", files, isAddressed: true, quoted: undefined });
  service.give({
    kind: "message",
    messageId: "q",
    text: "Is it?",
    files: [],
    isAddressed: true,
    quoted: "It is so",
  });
  await service.until(() => service.unconfirmed === 0);
  service.give({ kind: "edit", messageId: "f", text: "Look" });
  service.give({ kind: "edit", messageId: "q", text: "Is it so?" });
  await service.until(() => service.unconfirmed === 0);
  gate.resolve();
  await world.rest();

  expect(world.asked.slice(1)).toEqual([
    expect.stringContaining("table.csv"),
    "> It is so\n\nIs it?",
    "[An earlier message was edited. It says:]\n\nLook",
    "[An earlier message was edited. It says:]\n\nIs it so?",
  ]);
});

test("the model learns of every undelivered file, over two replies, only in its own conversation", async () => {
  await using world = await ChatsWorld.start({
    extensions: [media],
    answer: (text) => `MEDIA:./${text.at(-1)}.png`,
  });
  await world.say("a", "b");
  await world.say("c");
  world.command("new");
  await world.say("d");
  await world.say("e");

  expect(world.asked[2]).toContain("a.png");
  expect(world.asked[2]).toContain("b.png");
  expect(world.asked[3]).toBe("d");
  expect(world.asked[4]).not.toContain("c.png");
  expect(world.asked[4]).toContain("d.png");
});

test("a file deleted before sending is reported to the user and the model", async () => {
  await using world = await ChatsWorld.start({
    extensions: [media],
    files: { "/work/table.csv": "a,b" },
    answer: (text) => (text === "Send it" ? "MEDIA:./table.csv" : "Well."),
  });
  let isBusy = true;
  world.service.deliver = () => {
    if (!isBusy) return { kind: "sent", messageId: "m" };
    isBusy = false;
    world.started.files.delete("/work/table.csv");
    return { kind: "later", afterMs: 1_000, why: "It is busy" };
  };
  await world.say("Send it");
  await world.say("And?");

  expect(world.service.texts()).toEqual(["MEDIA:./table.csv\n(Not sent: there is no such file)", "Well."]);
  expect((await world.outbox())[0]).toMatchObject({ kind: "file", state: "failed", why: "there is no such file" });
  expect(world.asked[1]).toContain("table.csv");
  expect(world.asked[1]).toEndWith("And?");
});

test("a file that the service rejects permanently is reported to the user and the model", async () => {
  await using world = await ChatsWorld.start({
    extensions: [media],
    files: { "/work/table.csv": "a,b" },
    answer: (text) => (text === "Send it" ? "MEDIA:table.csv" : "Well."),
  });
  world.service.deliver = ({ message: { kind } }) =>
    kind === "file" ? { kind: "failed", why: "It takes no tables" } : { kind: "sent", messageId: "m" };
  await world.say("Send it");
  await world.say("And?");

  const texts = (await world.outbox()).flatMap(({ kind, text, state }) =>
    kind === "text" ? [{ text, state }] : [],
  );
  expect(texts).toEqual([
    { text: "MEDIA:table.csv\n(Not sent: It takes no tables)", state: "sent" },
    { text: "Well.", state: "sent" },
  ]);
  expect(world.asked[1]).toContain("It takes no tables");
});

test("an album is one turn with each file once, even when partly received before", async () => {
  await using world = await ChatsWorld.start({ extensions: [media], answer: () => "Seen." });
  const { service } = world;
  const part = (updateId: string): { updateId: string; files: readonly ChannelFile[] } => ({
    updateId,
    files: [fileOf(small, `${updateId}.csv`, "text/csv")],
  });
  const base = { kind: "message", messageId: "f", text: "Look", isAddressed: true, quoted: undefined } as const;
  service.givesTwice = true;
  service.give({ ...base, files: part("one").files, others: [part("two")] });
  await world.rest();
  service.givesTwice = false;
  service.give({ ...base, files: [], others: [part("two"), part("three")] });
  await world.rest();

  expect(world.asked.map((text) => text.match(/(one|two|three)\.csv/g))).toEqual([
    ["one.csv", "two.csv"],
    ["three.csv"],
  ]);
});
