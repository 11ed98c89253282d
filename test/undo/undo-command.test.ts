import { conversationIdSchema, conversationSchema, fileChangesSchema, restoredFilesSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import * as z from "zod";
import { World } from "../support/world.ts";

const config = 'tools.workspace = true\napprovals.allow = ["edit_file", "write_file", "shell"]\n';
const original = "one\ntwo\nthree\n";
const changed = "one\nfour\nthree\n";

class Turned extends World {
  id = "";

  static async begin(): Promise<Turned> {
    const turned = await Turned.start({ config, files: { "tides.md": original } });
    turned.model.enqueueText("Hello to you");
    turned.model.enqueueCall("edit_file", { path: "tides.md", oldText: "two", newText: "four" });
    turned.model.enqueueCall("write_file", { path: "notes/new.md", content: "New" });
    turned.model.enqueueCall("shell", { command: "true" });
    turned.model.enqueueText("Changed.");
    expect((await turned.run(["Hello"])).exitCode).toBe(0);
    expect((await turned.run(["-c", "Count right"])).stdout).toContain("Changed.");
    const [listed = ""] = await turned.list();
    turned.id = idSchema.parse(JSON.parse(listed)).id;
    return turned;
  }

  async list(): Promise<readonly string[]> {
    return (await this.run(["list", "--json"])).stdout.trim().split("\n");
  }
}

const idSchema = z.object({ id: z.string() });

test("incipit undo reverts the last turn and prints the copy, and incipit redo reverts that", async () => {
  await using world = await Turned.begin();
  const { id } = world;

  const undone = await world.run(["undo", id.slice(0, 13), "--yes"]);
  const copy = conversationIdSchema.parse(undone.stdout.trim());
  const atUndo = [await world.read("tides.md"), existsSync(world.path("notes"))];
  world.model.enqueueText("Once more");
  await world.run(["-s", copy, "And now?"]);
  const redone = await world.run(["redo", copy, "--yes"]);

  expect([undone.exitCode, redone.exitCode]).toEqual([0, 0]);
  expect(undone.stderr).toContain('The last message: "Count right"');
  expect(undone.stderr).toContain("tides.md: will be restored");
  expect(undone.stderr).toContain("-four");
  expect(undone.stderr).toContain("notes/new.md: will be deleted (the turn created it)");
  expect(undone.stderr).toContain("Changes by shell cannot be undone");
  expect(undone.stderr).toContain("Restored: notes/new.md, tides.md");
  expect(undone.stderr).toContain("Also removed empty folders: notes");
  expect(atUndo).toEqual([original, false]);
  const sent = world.lastBody;
  expect([sent.includes("Hello to you"), sent.includes("And now?"), sent.includes("Count right")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(redone.stdout).toBe(`${id}\n`);
  expect(redone.stderr).toContain("Reapplied: notes/new.md, tides.md");
  expect([await world.read("tides.md"), await world.read("notes/new.md")]).toEqual([changed, "New"]);
}, 120_000);

test("incipit undo confirms at a terminal, and requires --yes without one", async () => {
  await using world = await Turned.begin();
  const { id } = world;
  const question = "Undo the message, and restore 2 files? [y/N] ";
  const sit = (answer: string): ReturnType<World["atTerminal"]> =>
    world.atTerminal(["undo", "-c"], [[question, answer]]);
  const count = async (): Promise<number> => (await world.list()).length;

  const refused = await world.run(["undo", id]);
  const denied = await sit("n\r");
  const before = [await world.read("tides.md"), await count()];
  const agreed = await sit("y\r");

  expect([refused.exitCode, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain(`Nothing was changed: there is no terminal to ask "${question.trim()}" at`);
  expect(refused.stderr).toContain("--yes");
  expect([denied.exitCode, denied.screen.includes("Nothing was changed")]).toEqual([1, true]);
  expect(before).toEqual([changed, 1]);
  expect(agreed.exitCode).toBe(0);
  expect([await world.read("tides.md"), await count()]).toEqual([original, 2]);
}, 120_000);

for (const [what, happens] of [
  [
    "another client has sent a message",
    async (world: Turned) => expect((await world.run(["-s", world.id, "One more"])).exitCode).toBe(0),
  ],
  ["somebody has changed a file", (world: Turned) => world.write("tides.md", "mine\n")],
] as const)
  test(`incipit undo does nothing when ${what} during its question`, async () => {
    await using world = await Turned.begin();
    const { id } = world;
    const asked = await world.atTerminal(
      ["undo", id],
      [["restore 2 files? [y/N] ", () => happens(world).then(() => "y\r")]],
    );

    expect(asked.exitCode).toBe(1);
    expect(asked.screen).toContain(`To see what would happen now: incipit undo ${id}`);
    expect(await world.read("tides.md")).not.toBe(original);
    expect(await world.read("notes/new.md")).toBe("New");
    expect(await world.list()).toHaveLength(1);
  }, 120_000);

test("incipit undo --dry-run only prints, --keep-files keeps files, and --json prints everything", async () => {
  await using world = await Turned.begin();
  const { id } = world;
  const drySchema = z.strictObject({
    message: z.strictObject({ id: z.string(), text: z.string() }),
    ...fileChangesSchema.shape,
  });
  const doneSchema = z.strictObject({
    conversation: conversationSchema,
    message: z.strictObject({ id: z.string(), text: z.string() }),
    files: restoredFilesSchema.shape.files,
    otherTools: z.array(z.string()),
  });

  const shown = await world.run(["undo", id, "--dry-run"]);
  const dry = drySchema.parse(JSON.parse((await world.run(["undo", id, "--dry-run", "--json"])).stdout));
  const afterDry = [await world.read("tides.md"), (await world.list()).length];
  const kept = await world.run(["undo", id, "--keep-files"]);
  const afterKept = await world.read("tides.md");
  const done = doneSchema.parse(JSON.parse((await world.run(["undo", id, "--yes", "--json"])).stdout));
  const again = await world.run(["redo", "-c", "--dry-run"]);

  expect([shown.exitCode, shown.stderr.includes("tides.md")]).toEqual([0, false]);
  expect(shown.stdout).toContain("tides.md: will be restored\n");
  expect(dry).toMatchObject({ message: { text: "Count right" }, otherTools: ["shell"] });
  expect(dry.files.map(({ state, action }) => [state, action])).toEqual([
    ["restorable", "remove"],
    ["restorable", "write"],
  ]);
  expect(afterDry).toEqual([changed, 1]);
  expect([kept.exitCode, conversationIdSchema.safeParse(kept.stdout.trim()).success]).toEqual([0, true]);
  expect(afterKept).toBe(changed);
  expect(done).toMatchObject({
    conversation: { forkedFrom: { conversationId: id } },
    files: [
      { path: world.path("notes/new.md"), outcome: "removed", removedFolders: [world.path("notes")] },
      { path: world.path("tides.md"), outcome: "written" },
    ],
    otherTools: ["shell"],
  });
  expect(await world.read("tides.md")).toBe(original);
  expect(again.stdout).toContain("tides.md: will be changed again");
}, 120_000);

test("incipit undo and redo explain invalid arguments", async () => {
  await using world = await Turned.start({ config });
  await world.run(["Hello"]);
  const { stdout } = await world.run(["undo", "-c", "--yes"]);
  const copy = stdout.trim();
  const [listed = ""] = (await world.list()).toReversed();
  const { id } = idSchema.parse(JSON.parse(listed));

  const told = [];
  for (const args of [
    ["undo"],
    ["undo", id, "more"],
    ["redo", "no-such-one"],
    ["undo", copy, "--yes"],
    ["redo", id, "--yes"],
    ["undo", id, "--limit", "3"],
  ]) {
    const { exitCode, stderr } = await world.run(args);
    told.push([exitCode, stderr.trim()]);
  }

  expect(told).toEqual([
    [2, expect.stringContaining('"undo" needs ID; write: incipit undo ID')],
    [2, expect.stringContaining('"undo" takes no "more"')],
    [2, expect.stringContaining('No conversation has an id or a title that begins with "no-such-one"')],
    [1, expect.stringContaining(`No message to undo in ${copy}`)],
    [1, expect.stringContaining(`${id} is no copy of another conversation: there is nothing to go back to`)],
    [2, expect.stringContaining('"incipit undo ID" has no option "--limit"')],
  ]);
}, 120_000);

test("incipit redo changes no file that another copy's undo has restored", async () => {
  await using world = await Turned.begin();
  const { id } = world;
  const fork = await world.run(["conversations", "fork", id, "--json"]);
  const { id: forkId } = conversationSchema.parse(JSON.parse(fork.stdout));
  const undone = await world.run(["undo", id, "--yes"]);

  const ofFork = await world.run(["redo", forkId, "--yes"]);
  const afterFork = await world.read("tides.md");
  const ofUndone = await world.run(["redo", undone.stdout.trim(), "--yes"]);

  expect([ofFork.exitCode, ofFork.stderr.includes("tides.md")]).toEqual([0, false]);
  expect(afterFork).toBe(original);
  expect([ofUndone.exitCode, await world.read("tides.md")]).toEqual([0, changed]);
}, 120_000);

test("incipit undo skips files changed since, reports them, and still reverts the turn", async () => {
  await using world = await Turned.begin();
  const { id } = world;
  await world.write("tides.md", "mine\n");

  const { exitCode, stdout, stderr } = await world.run(["undo", id, "--yes"]);

  expect([exitCode, conversationIdSchema.safeParse(stdout.trim()).success]).toEqual([0, true]);
  expect(stderr).toContain("tides.md: unchanged, because it was modified since then");
  expect(stderr).toContain("Restored: notes/new.md");
  expect(await world.read("tides.md")).toBe("mine\n");
}, 120_000);
