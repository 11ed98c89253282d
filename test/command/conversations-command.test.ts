import { conversationSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { World } from "../support/world.ts";

test("incipit conversations lists, shows, renames, archives and deletes, with --yes or a confirmation", async () => {
  await using world = await World.start();
  const host = await world.host();
  const { id } = await host.createConversation();
  await host.turn(id, { input: "Mend the parser" });
  const run = async (...words: readonly string[]): Promise<{ exitCode: number; output: string }> => {
    const { exitCode, stdout, stderr } = await world.run(["conversations", ...words]);
    return { exitCode, output: stdout + stderr };
  };

  const listed = await run();
  const shown = await run("show", id);
  const renamed = await run("rename", id, "A better title", "--json");
  const archived = await run("archive", id);
  const [left, there] = [await run("list"), await run("list", "archived")];
  const unnamed = await Promise.all([run("delete", "", "--yes"), run("show", " ")]);
  const unasked = await run("delete", id);
  const deleted = await run("delete", id, "--yes");
  const again = await run("delete", id, "--yes");
  const wrong = await Promise.all([run("delte", id), run("show"), run("list", "some")]);

  expect(listed).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(new RegExp(`^${id}  .*  Mend the parser\n$`)),
  });
  expect(shown.output).toContain(`go on     incipit -s ${id}`);
  expect(conversationSchema.parse(JSON.parse(renamed.output))).toMatchObject({ title: "A better title" });
  expect(archived.output).toContain("(archived)");
  expect([left.output, there.output.includes(id)]).toEqual(["No conversations\n", true]);
  for (const { exitCode, output } of unnamed)
    expect([exitCode, output]).toEqual([2, expect.stringContaining("names nothing: write the beginning of an id")]);
  expect(unasked).toMatchObject({ exitCode: 1, output: expect.stringContaining("Nothing was deleted") });
  expect(deleted).toEqual({ exitCode: 0, output: `Deleted ${id}\n` });
  expect(again).toMatchObject({ exitCode: 1, output: expect.stringContaining("No conversation has the id") });
  expect(wrong.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
}, 300_000);

test("incipit conversations and audit accept -c for the last conversation of the folder", async () => {
  await using world = await World.start();
  const { work } = world;
  const elsewhere = join(work, "elsewhere");
  await mkdir(elsewhere);
  const run = async (cwd: string, ...words: readonly string[]): Promise<readonly [number, string]> => {
    const { exitCode, stdout, stderr } = await world.run(words, { cwd });
    return [exitCode, stdout + stderr];
  };
  await run(work, "-q", "Mend the parser");
  await run(work, "-q", "Write the notes");
  await run(elsewhere, "-q", "Look about");

  const [, shown] = await run(work, "conversations", "show", "-c");
  const [, other] = await run(work, "conversations", "show", "-c", "--cwd", "elsewhere");
  const [, renamed] = await run(work, "conversations", "rename", "-c", "Notes of today");
  const audited = await run(work, "audit", "-c");
  const wrong = await Promise.all([
    run(work, "conversations", "list", "-c"),
    run(work, "conversations", "show", "-c", "--limit", "3"),
    run(work, "audit", "all", "-c"),
    run(work, "conversations", "delete", "-c", "--yes"),
  ]);

  expect(shown).toContain("title     Write the notes");
  expect(other).toContain("title     Look about");
  expect(renamed).toContain("Notes of today");
  expect(audited).toEqual([0, expect.stringContaining("Notes of today")]);
  expect(wrong).toEqual([
    [2, expect.stringContaining('"incipit conversations list" has no option "--continue"')],
    [2, expect.stringContaining('"incipit conversations show ID…" has no option "--limit"')],
    [2, expect.stringContaining('"incipit audit all" has no option "--continue"')],
    [2, expect.stringContaining("leave one of them out")],
  ]);
}, 300_000);
