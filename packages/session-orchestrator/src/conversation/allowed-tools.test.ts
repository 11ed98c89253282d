import { expect, test } from "bun:test";
import type { ConversationId, TurnEvent } from "@incipit/schema";
import { callOne, createWorld, say, type World } from "../testing/test-world.ts";
import { newTool } from "../testing/new-tool.ts";

const allow = { approval: "allow" } as const;

function namesSent({ requests }: World): readonly (readonly string[])[] {
  return requests.map(({ tools }) => tools.map(({ name }) => name));
}

function failures(events: readonly TurnEvent[]): readonly unknown[] {
  return events.flatMap((event) => (event.type === "tool-call-end" ? [event.error?.code ?? event.output] : []));
}

test("a conversation includes and runs only allowed tools, in every epoch and fork", async () => {
  const tools = ["files__list", "files__read", "git", "shell"].map((name) => newTool(name, allow));
  await using world = await createWorld({ tools });
  const { id } = await world.conversations.create({ allowedTools: ["files__*", "git", "gone"] });
  world.scripts.push(
    callOne("shell"),
    () => say("one"),
    () => say("a summary"),
    () => say("two"),
    () => say("three"),
  );

  const first = await world.turn(id, "one");
  await world.conversations.compact(id);
  await world.turn(id, "two");
  const fork = await world.conversations.fork(id, {});
  await world.turn(fork.id, "three");

  const offered = ["files__list", "files__read", "git"];
  expect(namesSent(world)).toEqual([offered, offered, offered, offered, offered]);
  expect(failures(first)).toEqual(["TOOL_UNKNOWN"]);
  expect(tools.flatMap(({ runs }) => runs)).toEqual([]);
  expect(first.find(({ type }) => type === "tools-resolve")).toMatchObject({
    problems: ['No tool is "gone", which this conversation may use'],
  });
  expect(fork.allowedTools).toEqual(["files__*", "git", "gone"]);
});

test("a tool no longer allowed stops immediately, without changing the request prefix", async () => {
  const tools = ["git", "shell"].map((name) => newTool(name, allow));
  await using world = await createWorld({ tools });
  const { id } = await world.ask(
    "one",
    () => say("one"),
    callOne("shell"),
    () => say("two"),
    () => say("a summary"),
    () => say("three"),
  );

  const changed = await world.conversations.update(id, { allowedTools: ["git"] });
  const second = await world.turn(id, "two");
  await world.conversations.compact(id);
  await world.turn(id, "three");

  expect(changed.allowedTools).toEqual(["git"]);
  expect(failures(second)).toEqual(["TOOL_NOT_ALLOWED"]);
  expect(namesSent(world).slice(0, 3)).toEqual(Array.from({ length: 3 }, () => ["git", "shell"]));
  expect(namesSent(world).at(-1)).toEqual(["git"]);
  expect(await allBroken(world, id)).toEqual([]);
});

async function allBroken({ records }: World, id: ConversationId): Promise<readonly unknown[]> {
  const { items } = await records.steps(id, { limit: 100 });
  return items.slice(0, 3).filter(({ firstDifference }) => firstDifference !== null);
}
