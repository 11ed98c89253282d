import { expect, test } from "bun:test";
import type { HostWorld } from "../testing/host-world.ts";
import { createSubagentsWorld, giving, saying } from "./testing/subagents-world.ts";

async function beginnings(world: HostWorld): Promise<readonly string[]> {
  world.model.answer = (body) => (body.includes('"name":"agent"') ? undefined : saying("done"));
  world.model.enqueue(giving({ profile: "shared", task: "One" }, { profile: "shared", task: "Two" }));
  await world.turn(await world.createConversation(), "go");
  const tasks = world.model.requests.filter(({ body }) => body.includes("You share."));
  return tasks.map(({ body }) => body.slice(0, body.indexOf('{"role":"user"')));
}

test("tasks with the same profile share their tools and system bytes", async () => {
  await using world = await createSubagentsWorld({
    config: 'profiles.shared.system_prompt = "You share. In [prompt:cwd] on [system:os]."\ntools.workspace = true',
  });

  const [one = "", two = "", ...others] = await beginnings(world);

  expect(others).toEqual([]);
  expect(one).toContain("You share. In ");
  expect(one).toContain('"read_file"');
  expect(two).toBe(one);
});

test("a template that contains the conversation id prevents a shared prefix", async () => {
  await using world = await createSubagentsWorld({
    config: 'profiles.shared.system_prompt = "You share. [prompt:conversation_id]"',
  });

  const [one, two] = await beginnings(world);

  expect(two).not.toBe(one);
});
