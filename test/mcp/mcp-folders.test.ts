import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createAgentsWorld, type AgentsWorld } from "../agents/agents-world.ts";
import { filesystemServer, mcpServer } from "../support/mcp-programs.ts";

async function call(world: AgentsWorld, id: string, name: string, input: object): Promise<string> {
  world.model.enqueue({
    kind: "tool-calls",
    calls: [{ id: `call-${crypto.randomUUID()}`, name, arguments: JSON.stringify(input) }],
  });
  const { conversation } = await world.client.call(routes.getConversation, { params: { id } });
  const { events } = await world.turn(conversation.id, "go");
  const end = events.find((event) => event.type === "tool-call-end");
  return end?.output ?? end?.error?.message ?? "no call";
}

interface Place {
  readonly id: string;
  readonly path: string;
}

async function startWorld(config: string): Promise<{
  readonly world: AgentsWorld;
  readonly a: Place;
  readonly b: Place;
}> {
  const world = await createAgentsWorld({ config });
  const begin = async (name: string): Promise<Place> => {
    const path = join(world.home, name);
    await world.write(join(path, "note.txt"), `The note of ${name}`);
    return { id: await world.begin({ cwd: path }), path };
  };
  return { world, a: await begin("a"), b: await begin("b") };
}

for (const [what, args, more] of [
  ["its arguments name", [filesystemServer, "$cwd"], ""],
  ["it is told as its root", [filesystemServer], "roots = true"],
] as const) {
  test(`an MCP server program runs in the folder that ${what}, also after a move`, async () => {
    const { world, a, b } = await startWorld(mcpServer("files", args, more));
    await using _ = world;
    const read = (id: string, path: string): Promise<string> =>
      call(world, id, "files__read_text_file", { path: join(path, "note.txt") });

    // It accepts calls before it has processed the notification.
    for (const { id, path } of [a, b])
      while (!(await call(world, id, "files__list_allowed_directories", {})).includes(path));

    const answers = [await read(a.id, a.path), await read(b.id, b.path), await read(a.id, b.path)];
    await world.client.call(routes.updateConversation, { params: { id: a.id }, body: { cwd: b.path } });
    const moved = [await read(a.id, b.path), await read(a.id, a.path)];

    const denied = expect.stringContaining("Access denied");
    expect(answers).toEqual(["The note of a", "The note of b", denied]);
    expect(moved).toEqual(["The note of b", denied]);
  });
}

async function running(word: string): Promise<number> {
  const lines = [...new Bun.Glob("*/cmdline").scanSync({ cwd: "/proc" })].map((path) =>
    Bun.file(join("/proc", path))
      .text()
      .catch(() => ""),
  );
  return (await Promise.all(lines)).filter((line) => line.endsWith(`\u0000${word}\u0000`)).length;
}

test("no MCP server starts in an imported conversation's folder before a call is approved", async () => {
  const { world, a } = await startWorld(mcpServer("files", [filesystemServer, "$cwd"]));
  await using _ = world;
  await world.turn(
    (await world.client.call(routes.getConversation, { params: { id: a.id } })).conversation.id,
    "go",
  );
  const before = await running(a.path);
  const exported = await new Response(await world.client.exportConversation(a.id)).blob();
  await world.client.call(routes.deleteConversation, { params: { id: a.id } });
  await world.restart();
  const { id } = await world.client.importConversation(exported);

  await world.client.call(routes.rebuildPrompt, { params: { id }, body: {} });
  const { tools, next } = await world.client.call(routes.getConversationTools, { params: { id } });

  expect(before).toBe(1);
  expect(tools.map(({ isAvailable }) => isAvailable)).not.toContain(false);
  expect(next.problems).toEqual([]);
  expect([await running(a.path), await running(world.work)]).toEqual([0, 1]);
});
