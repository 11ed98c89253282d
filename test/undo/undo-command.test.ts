import { conversationIdSchema, conversationSchema, fileChangesSchema, restoredFilesSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { atTerminal } from "../support/at-terminal.ts";
import { testedCommand } from "../support/host-process.ts";
import { createCommandWorld, type CommandWorld } from "../shell/command-world.ts";

const config = 'tools.workspace = true\napprovals.allow = ["edit_file", "write_file", "shell"]\n';
const original = "one\ntwo\nthree\n";
const changed = "one\nfour\nthree\n";

interface Turned extends AsyncDisposable {
  readonly world: CommandWorld;
  readonly id: string;
  readonly file: string;
}

async function turned(): Promise<Turned> {
  const world = await createCommandWorld({ config });
  const file = join(world.work, "tides.md");
  await Bun.write(file, original);
  world.model.enqueue({ kind: "text", chunks: ["Hello to you"] });
  const calls = [
    { name: "edit_file", arguments: JSON.stringify({ path: "tides.md", oldText: "two", newText: "four" }) },
    { name: "write_file", arguments: JSON.stringify({ path: "notes/new.md", content: "New" }) },
    { name: "shell", arguments: JSON.stringify({ command: "true" }) },
  ];
  world.model.enqueue(
    { kind: "tool-calls", calls: calls.map((call, index) => ({ id: `call-${index}`, ...call })) },
    { kind: "text", chunks: ["Changed."] },
  );
  expect((await world.run(["Hello"])).exitCode).toBe(0);
  expect((await world.run(["-c", "Count right"])).stdout).toContain("Changed.");
  const { stdout } = await world.run(["list", "--json"]);
  const { id } = z.object({ id: z.string() }).parse(JSON.parse(stdout));
  return { world, id, file, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

const text = (path: string): Promise<string> => Bun.file(path).text();

test("incipit undo reverts the last turn and prints the copy, and incipit redo reverts that", async () => {
  await using turn = await turned();
  const { world, id, file } = turn;
  const made = join(world.work, "notes/new.md");

  const undone = await world.run(["undo", id.slice(0, 13), "--yes"]);
  const copy = conversationIdSchema.parse(undone.stdout.trim());
  const atUndo = [await text(file), existsSync(join(world.work, "notes"))];
  world.model.enqueue({ kind: "text", chunks: ["Once more"] });
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
  const sent = world.model.requests.at(-1)?.body ?? "";
  expect([sent.includes("Hello to you"), sent.includes("And now?"), sent.includes("Count right")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(redone.stdout).toBe(`${id}\n`);
  expect(redone.stderr).toContain("Reapplied: notes/new.md, tides.md");
  expect([await text(file), await text(made)]).toEqual([changed, "New"]);
}, 120_000);

test("incipit undo confirms at a terminal, and requires --yes without one", async () => {
  await using turn = await turned();
  const { world, id, file } = turn;
  const question = "Undo the message, and restore 2 files? [y/N] ";
  const sit = (answer: string): ReturnType<typeof atTerminal> =>
    atTerminal({
      command: [...testedCommand, "undo", "-c"],
      cwd: world.work,
      home: world.home,
      answers: [[question, answer]],
    });
  const count = async (): Promise<number> => (await world.run(["list", "--json"])).stdout.trim().split("\n").length;

  const refused = await world.run(["undo", id]);
  const denied = await sit("n\r");
  const before = [await text(file), await count()];
  const agreed = await sit("y\r");

  expect([refused.exitCode, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain(`Nothing was changed: there is no terminal to ask "${question.trim()}" at`);
  expect(refused.stderr).toContain("--yes");
  expect([denied.exitCode, denied.screen.includes("Nothing was changed")]).toEqual([1, true]);
  expect(before).toEqual([changed, 1]);
  expect(agreed.exitCode).toBe(0);
  expect([await text(file), await count()]).toEqual([original, 2]);
}, 120_000);

for (const [what, happens] of [
  [
    "another client has sent a message",
    async ({ world, id }) => {
      expect((await world.run(["-s", id, "One more"])).exitCode).toBe(0);
    },
  ],
  ["somebody has changed a file", async ({ file }) => void (await Bun.write(file, "mine\n"))],
] satisfies readonly (readonly [string, (turn: Turned) => Promise<void>])[])
  test(`incipit undo does nothing when ${what} during its question`, async () => {
    await using turn = await turned();
    const { world, id, file } = turn;
    const asked = await atTerminal({
      command: [...testedCommand, "undo", id],
      cwd: world.work,
      home: world.home,
      answers: [["restore 2 files? [y/N] ", () => happens(turn).then(() => "y\r")]],
    });

    expect(asked.exitCode).toBe(1);
    expect(asked.screen).toContain(`To see what would happen now: incipit undo ${id}`);
    expect(await text(file)).not.toBe(original);
    expect(await text(join(world.work, "notes/new.md"))).toBe("New");
    expect((await world.run(["list", "--json"])).stdout.trim().split("\n")).toHaveLength(1);
  }, 120_000);

test("incipit undo --dry-run only prints, --keep-files keeps files, and --json prints everything", async () => {
  await using turn = await turned();
  const { world, id, file } = turn;
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
  const afterDry = [await text(file), (await world.run(["list", "--json"])).stdout.trim().split("\n").length];
  const kept = await world.run(["undo", id, "--keep-files"]);
  const afterKept = await text(file);
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
      { path: join(world.work, "notes/new.md"), outcome: "removed", removedFolders: [join(world.work, "notes")] },
      { path: file, outcome: "written" },
    ],
    otherTools: ["shell"],
  });
  expect(await text(file)).toBe(original);
  expect(again.stdout).toContain("tides.md: will be changed again");
}, 120_000);

test("incipit undo and redo explain invalid arguments", async () => {
  await using world = await createCommandWorld({ config });
  await world.run(["Hello"]);
  const { stdout } = await world.run(["undo", "-c", "--yes"]);
  const copy = stdout.trim();
  const [listed = ""] = (await world.run(["list", "--json"])).stdout.trim().split("\n").toReversed();
  const { id } = z.object({ id: z.string() }).parse(JSON.parse(listed));

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
  await using turn = await turned();
  const { world, id, file } = turn;
  const fork = await world.run(["conversations", "fork", id, "--json"]);
  const { id: forkId } = conversationSchema.parse(JSON.parse(fork.stdout));
  const undone = await world.run(["undo", id, "--yes"]);

  const ofFork = await world.run(["redo", forkId, "--yes"]);
  const afterFork = await text(file);
  const ofUndone = await world.run(["redo", undone.stdout.trim(), "--yes"]);

  expect([ofFork.exitCode, ofFork.stderr.includes("tides.md")]).toEqual([0, false]);
  expect(afterFork).toBe(original);
  expect([ofUndone.exitCode, await text(file)]).toEqual([0, changed]);
}, 120_000);

test("incipit undo skips files changed since, reports them, and still reverts the turn", async () => {
  await using turn = await turned();
  const { world, id, file } = turn;
  await Bun.write(file, "mine\n");

  const { exitCode, stdout, stderr } = await world.run(["undo", id, "--yes"]);

  expect([exitCode, conversationIdSchema.safeParse(stdout.trim()).success]).toEqual([0, true]);
  expect(stderr).toContain("tides.md: unchanged, because it was modified since then");
  expect(stderr).toContain("Restored: notes/new.md");
  expect(await text(file)).toBe("mine\n");
}, 120_000);
