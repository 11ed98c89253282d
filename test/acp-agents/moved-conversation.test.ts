import { expect, test } from "bun:test";
import { mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createAgentWorld, textOf, type AgentWorld } from "./agent-world.ts";

/** Where the agent's program runs, and where its session works, in two turns between which the conversation is moved. */
async function foldersOf(world: AgentWorld, other: string): Promise<readonly string[]> {
  const { host } = world;
  const { id } = await host.createConversation();
  const before = textOf(await host.turn(id, { input: "folders" }));
  const moved = await host.fetch(`/conversations/${id}`, { method: "PATCH", body: { cwd: other } });
  expect(moved.status).toBe(200);
  return [before, textOf(await host.turn(id, { input: "folders" }))];
}

test("an agent that brings its own tools works in the new folder of a conversation that is moved, and so does its program where it ran in the old one", async () => {
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
