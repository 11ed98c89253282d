import { fillableDisk } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { parseConfig } from "../config/parse-config.ts";
import { ChatsWorld } from "./testing/chats-world.ts";

test("an invalid chat and unknown chat keys fail the start with file, line and key", () => {
  const text = `[channels.telegram.chats.family]
profile = "family"

[channels.discord.chats."80351110224678912"]
aprovers = ["80351110224678912"]
`;

  for (const place of [
    /incipit\.toml:1: key "channels\.telegram\.chats\.family" must be a user id/,
    /incipit\.toml:5: key "channels\.discord\.chats\.80351110224678912\.aprovers" is unknown; did you mean "approvers"\?/,
  ])
    expect(() => parseConfig(text, "incipit.toml")).toThrow(place);
});

test("a chat reply arriving on a full disk is delivered once, without another call", async () => {
  const { storage, setFull } = fillableDisk();
  let isFirst = true;
  await using world = await ChatsWorld.start({
    storage,
    answer: (text) => {
      if (isFirst) setFull(true);
      isFirst = false;
      return `Re: ${text}`;
    },
  });
  world.service.say("One");
  await world.service.until(() => world.service.unconfirmed === 0);
  for (let minute = 0; minute < 20; minute += 1) await world.clock.advance(60_000);
  const before = world.service.texts();
  setFull(false);
  await world.rest();
  await world.say("Two");

  expect(before).toEqual([]);
  expect(world.asked).toEqual(["One", "Two"]);
  expect(world.service.texts()).toEqual([
    "I was interrupted and could not finish that. Please send it again.",
    "Re: Two",
  ]);
});
