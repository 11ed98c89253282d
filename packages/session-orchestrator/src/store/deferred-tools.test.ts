import type { ConversationId } from "@incipit/schema";
import type { ToolSource } from "@incipit/service-contract";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { maxLists } from "./deferred-tools.ts";
import { callOne, createWorld } from "../testing/test-world.ts";
import { newTool } from "../testing/new-tool.ts";

const settings = { tools: { shown_max: 0 } };

function changing(text: (time: number) => string): ToolSource {
  let times = 0;
  const server = { name: "x" };
  return {
    id: "changing",
    async tools({ call: name }) {
      if (name === undefined) times += 1;
      return { tools: [newTool("x__tool", { server, approval: "allow", description: text(times) })], problems: [] };
    },
  };
}

test("deferred tools are stored in chunks and read completely after a restart", async () => {
  const description = "of 😀".repeat(28_000);
  const storage = createMemoryStorage();
  let id;
  {
    await using world = await createWorld({ storage, settings, toolSources: [changing(() => description)] });
    ({ id } = await world.conversations.create({}));
    await world.turn(id, "one");
  }
  await using world = await createWorld({ storage, settings, toolSources: [] });
  world.scripts.push(callOne("search_tools", '{"query":"select:x__tool"}'));

  await world.turn(id, "two");

  const [part] = world.requests.at(-1)?.messages.at(-1)?.parts ?? [];
  expect(part?.type === "tool-result" && part.output.includes(description)).toBe(true);
});

test("[attack:bounds-tool-lists] changing tool descriptions do not fill the disk; old lists are evicted", async () => {
  await using world = await createWorld({
    settings,
    toolSources: [changing((time) => `Version ${time} of it`)],
  });
  const ids: ConversationId[] = [];
  for (let count = 0; count < maxLists + 3; count += 1) {
    const { id } = await world.ask("one");
    ids.push(id);
    await world.clock.advance(1_000);
  }
  const found = async (index: number): Promise<string | undefined> => {
    world.scripts.push(callOne("search_tools", '{"query":"version"}'));
    const id = ids[index];
    if (id === undefined) throw new Error("There is no such conversation");
    const events = await world.turn(id, "two");
    const end = events.find((event) => event.type === "tool-call-end");
    return /Version \d+/.exec(end?.output ?? "")?.[0];
  };

  expect(await found(0)).toBe(`Version ${maxLists + 4}`);
  expect(await found(maxLists)).toBe(`Version ${maxLists + 1}`);
});
