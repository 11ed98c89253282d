import { expect, test } from "bun:test";
import { join } from "node:path";
import { giveAnswer } from "./answer.ts";
import { expectScreen, said } from "./said.ts";
import { keys, type Sitting } from "./sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

const edit = { path: "tides.md", oldText: "two", newText: "four" };
const script = "for i in 1 2 3 4 5 6 7 8; do echo row $i; done";

async function converse(world: TerminalWorld, columns: number): Promise<Sitting> {
  await Bun.write(join(world.work, "tides.md"), "one\ntwo\nthree\n");
  const calls = [
    { id: "1", name: "edit_file", arguments: JSON.stringify(edit) },
    { id: "2", name: "shell", arguments: JSON.stringify({ command: script }) },
    { id: "3", name: "read_file", arguments: JSON.stringify({ path: "nowhere.md" }) },
  ];
  for (const call of calls) world.model.enqueue({ kind: "tool-calls", calls: [call] });
  world.model.enqueue(
    { kind: "text", chunks: ["It is **changed**."] },
    { kind: "error", status: 400, body: JSON.stringify({ error: { message: "Closed for today" } }) },
  );
  const sitting = world.sit({ columns, rows: 60, args: ["--allow", "shell"] });
  await sitting.sees("local/test");
  sitting.enter("Count right");
  await giveAnswer(sitting, "y");
  await sitting.sees("It is changed.");
  await said(sitting, "And now?", "The turn failed");
  return sitting;
}

function conversation(screen: string): string {
  const from = screen.indexOf("> Count right");
  return screen
    .slice(from, screen.indexOf("─".repeat(20), from))
    .replaceAll(/ · \d+\.\d s\n/g, "\n")
    .trimEnd();
}

for (const columns of [50, 80])
  test(`-c reprints a conversation as live, with arguments, diffs and failures, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
    const live = await converse(world, columns);
    const before = conversation(live.screen());
    live.type(keys.ctrl("d"));
    await live.exited;

    const sitting = world.sit({ columns, rows: 60, args: ["-c"] });
    await sitting.sees("The turn failed");
    const after = conversation(await sitting.sees(/The turn failed[\s\S]*─\n\n─/));
    await said(sitting, "/undo", "You are now in the copy");
    const undone = conversation(sitting.screen());

    await expectScreen(after, { name: "past", columns });
    expect(after).toBe(before);
    expect(undone).toContain(before.slice(0, before.indexOf("> And now?")).trimEnd());
  }, 60_000);

test("Ctrl-O lists folded items, newest first, and prints the chosen one in full", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  const sitting = await converse(world, 80);

  sitting.type(keys.ctrl("o"));
  const listed = await sitting.sees("Show in full:");
  sitting.type("row");
  await sitting.sees("1 of 1");
  sitting.type(keys.enter);
  const shown = await sitting.sees(/row 4\nrow 5\nrow 6/);
  const diff = await said(sitting, "/expand 2", "+four");

  expect(listed).toMatch(/> shell [\s\S]*\n {2}edit_file /);
  expect(shown).toContain(`    ${script}`);
  expect(diff).toMatch(/^● edit_file\n    path: tides\.md\n    oldText: two\n/);
}, 60_000);
