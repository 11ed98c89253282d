import {
  channelMessageSchema,
  channelPersonSchema,
  channelSchema,
  type ChannelMessageView,
  type ChannelPersonView,
  type ChannelView,
} from "@incipit/schema";
import { expect, test } from "bun:test";
import { runAgainst } from "../testing/run-command.ts";

const channel = channelSchema.parse({
  id: "telegram",
  state: "down",
  why: "It cannot be reached\u001b[2J",
  since: "2026-11-23T08:00:00.000Z",
  account: "@adas_bot",
  waiting: 2,
  unknown: 1,
  failed: 2,
} satisfies Record<keyof ChannelView, unknown>);
const message = channelMessageSchema.parse({
  id: "000000000042",
  chat: "123",
  kind: "text",
  text: "The backup\nis done.",
  state: "unknown",
  why: "The host ended",
  createdAt: "2026-11-23T08:00:00.000Z",
  endedAt: "2026-11-23T08:00:01.000Z",
  attempts: 1,
  retriedAs: null,
} satisfies Record<keyof ChannelMessageView, unknown>);
const person = channelPersonSchema.parse({
  id: "123",
  name: "Ada",
  source: "pairing",
  pairedAt: "2026-11-23T07:55:00.000Z",
} satisfies Record<keyof ChannelPersonView, unknown>);

test("channels lists each state in one line without control sequences", async () => {
  const { stdout, requests } = await runAgainst(["channels"], { channels: [channel] });

  expect(requests).toMatchObject([{ route: "GET /channels" }]);
  expect(stdout).toMatch(
    /^telegram +down +since 2026-11-23 08:00 UTC {2}@adas_bot {2}It cannot be reached.*\(2 wait, 1 unknown, 2 failed\)\n$/,
  );
  expect(stdout).not.toContain("\u001b");
});

test("channels pair prints a code, its channel and its lifetime", async () => {
  const pairingCode = { code: "7KQX-M2PD", expiresAt: "2026-11-23T08:10:00.000Z" };
  const { stdout, stderr, requests } = await runAgainst(["channels", "pair", "telegram"], { pairingCode });

  expect(requests).toMatchObject([{ route: "POST /channels/telegram/pairing-codes" }]);
  expect(stdout).toBe("7KQX-M2PD\n");
  expect(stderr).toContain("expires on 2026-11-23 08:10 UTC");
});

test("channels messages lists all pages, and retry sends a message again", async () => {
  const listed = await runAgainst(
    ["channels", "messages", "telegram"],
    { messages: [message], nextCursor: "000000000042" },
    { messages: [{ ...message, id: "000000000041", retriedAs: "000000000042" }] },
  );
  const retried = await runAgainst(["channels", "retry", "telegram", "000000000042", "--json"], { message });

  expect(listed.requests.map(({ route }) => route)).toEqual([
    "GET /channels/telegram/messages",
    "GET /channels/telegram/messages?cursor=000000000042",
  ]);
  expect(listed.stdout.split("\n")).toEqual([
    expect.stringMatching(
      /^000000000042 {2}2026-11-23 08:00 UTC {2}unknown {2}123 +The backup.*\(The host ended\)$/,
    ),
    expect.stringContaining("sent again as 000000000042"),
    "",
  ]);
  expect(retried.requests).toMatchObject([{ route: "POST /channels/telegram/messages/000000000042/retry" }]);
  expect(JSON.parse(retried.stdout)).toEqual(message);
});

test("channels people lists paired persons, and remove accepts any id", async () => {
  const listed = await runAgainst(["channels", "people", "telegram"], { people: [person] });
  const removed = await runAgainst(["channels", "remove", "telegram", "a/b"], { deleted: true });

  expect(listed.stdout).toMatch(/^123 +Ada +let in 2026-11-23 07:55 UTC\n$/);
  expect(removed.requests).toMatchObject([{ route: "DELETE /channels/telegram/people/a%2Fb" }]);
});

test("send delivers text to a chat", async () => {
  const { requests, stdout } = await runAgainst(["send", "telegram", "123", "Hello"], { messages: [message] });

  expect(requests).toEqual([{ route: "POST /channels/telegram/send", body: { chat: "123", text: "Hello" } }]);
  expect(stdout).toStartWith("000000000042");
});

test("channels continue assigns another conversation to a chat", async () => {
  const id = "01980000-0000-7000-8000-000000000001";
  const { requests, stderr } = await runAgainst(["channels", "continue", "telegram", "-10/7", id], {
    messages: [message],
  });

  expect(requests).toEqual([
    { route: "PUT /channels/telegram/chats/-10%2F7/conversation", body: { conversationId: id } },
  ]);
  expect(stderr).toContain('"-10/7" on "telegram" continue that conversation');
});
