import { expect, test } from "bun:test";
import { mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createAgentWorld, textOf, type AgentWorld } from "./agent-world.ts";

async function foldersOf(world: AgentWorld, other: string): Promise<readonly string[]> {
  const { host } = world;
  const { id } = await host.createConversation();
  const before = textOf(await host.turn(id, { input: "folders" }));
  const moved = await host.fetch(`/conversations/${id}`, { method: "PATCH", body: { cwd: other } });
  expect(moved.status).toBe(200);
  return [before, textOf(await host.turn(id, { input: "folders" }))];
}

test("an agent with its own tools follows a moved conversation, including its process", async () => {
  await using world = await createAgentWorld({
    agents: { there: {} },
    settings: { there: 'cwd = "$cwd"' },
  });
  await using apart = await createAgentWorld();
  const moves = await Promise.all(
    [world, apart].map(async (each) => {
      const other = join(dirname(await realpath(each.cwd)), "other");
      await mkdir(other);
      return { old: each.cwd, other, folders: await foldersOf(each, other) };
    }),
  );

  expect(moves.map(({ folders }) => folders)).toEqual(
    moves.map(({ old, other }, index) =>
      index === 0 ? [`${old} ${old}`, `${other} ${other}`] : [`/ ${old}`, `/ ${other}`],
    ),
  );
}, 120_000);
