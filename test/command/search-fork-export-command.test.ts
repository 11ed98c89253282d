import { conversationSchema, searchResultSchema } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { CommandResult } from "../support/host-process.ts";
import { World } from "../support/world.ts";

async function startWorld() {
  const world = await World.start({ config: null });
  const host = await world.host();
  return {
    world,
    host,
    client: host.client,
    run: (words: readonly string[], input?: string): Promise<CommandResult> =>
      world.run(["conversations", ...words], input === undefined ? {} : { input }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

test("incipit conversations search prints matches, as plain text in a pipe or as JSON", async () => {
  await using started = await startWorld();
  const { host, client, run } = started;
  const { id } = await host.createConversation({ title: "Crème brûlée" });
  const { id: archived } = await host.createConversation({ title: "An old creme" });
  await host.turn(id, { input: "How much sugar?" });
  await client.call(routes.updateConversation, { params: { id: archived }, body: { archived: true } });
  const { messages } = await client.call(routes.listMessages, { params: { id } });

  const [title, said, all] = [
    await run(["search", "creme"]),
    await run(["search", "SUGAR much"]),
    await run(["search", "creme", "all"]),
  ];
  const json = await run(["search", "creme", "--json"]);
  const none = await run(["search", "nothing like it"]);

  expect(title).toMatchObject({ exitCode: 0, stderr: "" });
  expect(title.stdout).toMatch(new RegExp(`^${id}  .* UTC  Crème brûlée\n  title  Crème brûlée\n$`));
  expect(said.stdout).toContain(`\n  ${messages[0]?.id ?? ""}  user  How much sugar?\n`);
  expect(all.stdout.split("\n").filter((line) => line.includes("UTC"))).toEqual([
    expect.stringContaining("An old creme  (archived)"),
    expect.stringContaining("Crème brûlée"),
  ]);
  expect(searchResultSchema.parse(JSON.parse(json.stdout)).matches).toEqual([
    { messageId: null, role: null, snippet: "Crème brûlée", ranges: [{ start: 0, end: 5 }] },
  ]);
  expect(none).toEqual({
    exitCode: 0,
    stdout: "",
    stderr:
      'No conversation has "nothing like it" in its title or in what was said (archived ones were not looked at)\n',
  });
}, 300_000);

test("incipit conversations search highlights matches on a screen and sanitizes stored text", async () => {
  await using started = await startWorld();
  const { host, world } = started;
  const { id } = await host.createConversation({ title: "Colours" });
  await host.turn(id, { input: "\u001B[31m red \u009B2J needle \u001B]0;title\u0007" });
  const command = ["conversations", "search", "needle"];
  const { screen, exitCode } = await world.atTerminal(command, [], { columns: 300, term: "xterm" });

  expect(exitCode).toBe(0);
  expect(screen).toContain("2J \u001B[1mneedle\u001B[22m ");
  expect(screen.replaceAll("\u001B[1mneedle\u001B[22m", "")).toMatch(/^[^\p{Cc}]*(?:\r\n[^\p{Cc}]*)+$/u);
}, 300_000);

test("incipit conversations fork creates a conversation up to a message", async () => {
  await using started = await startWorld();
  const { host, client, run } = started;
  const { id } = await host.createConversation({ title: "Source" });
  await host.turn(id, { input: "one" });
  await host.turn(id, { input: "two" });
  const { messages } = await client.call(routes.listMessages, { params: { id } });
  const ids = messages.map((message) => String(message.id));
  const lengthOf = async ({ stdout }: CommandResult): Promise<number> => {
    const params = { id: stdout.slice(0, 36) };
    return (await client.call(routes.listMessages, { params })).messages.length;
  };

  const whole = await run(["fork", id]);
  const after = await run(["fork", id, "--after", ids[1] ?? ""]);
  const before = await run(["fork", id, "--before", ids[1] ?? "", "--json"]);
  const unknown = await run(["fork", id, "--after", "nothing"]);
  const wrong = await Promise.all([
    run(["fork"]),
    run(["fork", id, "--after", "a", "--before", "b"]),
    run(["show", id, "--after", "a"]),
  ]);

  expect(whole.stdout).toMatch(/^[\da-f-]{36} {2}.* {2}Source\n$/);
  expect([await lengthOf(whole), await lengthOf(after)]).toEqual([4, 2]);
  expect(conversationSchema.parse(JSON.parse(before.stdout)).forkedFrom).toMatchObject({
    conversationId: id,
    messageId: ids[0] ?? "",
  });
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("[MESSAGE_UNKNOWN]") });
  expect(wrong.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
}, 300_000);

test("incipit conversations export and import transfer a conversation by file and by pipe", async () => {
  await using source = await startWorld();
  await using target = await startWorld();
  const { id } = await source.host.createConversation({ title: "Carried" });
  await source.host.turn(id, { input: "\u009B2J or so" });
  const file = source.world.path("carried.jsonl");

  const piped = await source.run(["export", id]);
  const dashed = await source.run(["export", id, "-"]);
  const written = await source.run(["export", id, file]);
  const again = await source.run(["export", id, file]);
  const replaced = await source.run(["export", id, file, "--yes", "--json"]);
  const imported = await target.run(["import", file]);
  const twice = await target.run(["import", "-"], piped.stdout);
  await target.run(["delete", id, "--yes"]);
  const fromPipe = await target.run(["import", "-", "--json"], piped.stdout);
  const back = await target.run(["export", id]);

  expect(piped).toMatchObject({ exitCode: 0, stderr: "" });
  expect(dashed.stdout).toBe(piped.stdout);
  expect(written).toMatchObject({
    exitCode: 0,
    stdout: `Wrote ${Buffer.byteLength(piped.stdout)} bytes to ${file}\n`,
  });
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("--yes replaces it") });
  expect(JSON.parse(replaced.stdout)).toEqual({ path: file, sizeBytes: Buffer.byteLength(piped.stdout) });
  expect(await Bun.file(file).text()).toBe(piped.stdout);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(imported.stdout).toMatch(new RegExp(`^${id}  .*  Carried  \\(imported\\)\n$`));
  expect(twice).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("[CONVERSATION_EXISTS]") });
  expect(conversationSchema.parse(JSON.parse(fromPipe.stdout)).id).toBe(id);
  expect(back.stdout).toBe(piped.stdout);
}, 300_000);

test("incipit conversations export leaves no partial file, and import explains unreadable input", async () => {
  await using started = await startWorld();
  const { world, host, run } = started;
  const { id } = await host.createConversation({ title: "Broken" });
  await host.turn(id, { input: "one ".repeat(500_000) });
  await host.kill("SIGTERM");
  {
    using database = new Database(join(world.data, "incipit.db"));
    database.run("UPDATE entries SET value = 'no JSON' WHERE key LIKE ?", [`wire:${id}:%`]);
  }
  await world.host();
  const folder = world.path("exports");
  const file = join(folder, "broken.jsonl");
  await Bun.write(join(folder, "kept.jsonl"), "kept");

  const cut = await run(["export", id, file]);
  const kept = await run(["export", id, join(folder, "kept.jsonl"), "--yes"]);
  const folderGiven = await run(["export", id, folder, "--yes"]);
  const nowhere = await run(["export", id, join(folder, "none", "x.jsonl")]);
  const imports = await Promise.all([
    run(["import", "nothing.jsonl"]),
    run(["import", folder]),
    run(["import", join(folder, "kept.jsonl")]),
    run(["import"]),
  ]);

  expect(cut).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringContaining("incomplete") });
  expect(kept.exitCode).toBe(1);
  expect(await readdir(folder)).toEqual(["kept.jsonl"]);
  expect(await Bun.file(join(folder, "kept.jsonl")).text()).toBe("kept");
  expect(folderGiven).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("incomplete") });
  expect(nowhere).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("its folder does not exist; name another one"),
  });
  expect(imports.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 2]);
  expect(imports[0]?.stderr).toContain("there is no such file");
  expect(imports[1]?.stderr).toContain("it is a folder");
  expect(imports[2]?.stderr).toContain("[INVALID_REQUEST]");
}, 300_000);
