import { expect, test } from "bun:test";
import { giveAnswer } from "./answer.ts";
import { expectScreen, said } from "./said.ts";
import { keys, type Sitting } from "./sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

const edit = { path: "tides.md", oldText: "two", newText: "four" };
const script = "for i in 1 2 3 4 5 6 7 8; do echo row $i; done";

async function converse(world: TerminalWorld, columns: number): Promise<Sitting> {
  await world.write("tides.md", "one\ntwo\nthree\n");
  world.model.enqueueCall("edit_file", edit);
  world.model.enqueueCall("shell", { command: script });
  world.model.enqueueCall("read_file", { path: "nowhere.md" });
  world.model.enqueue(
    { kind: "text", chunks: ["It is **changed**."] },
    { kind: "error", status: 400, body: JSON.stringify({ error: { message: "Closed for today" } }) },
  );
  const sitting = await world.open({ columns, rows: 60, args: ["--allow", "shell"] });
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

  const listed = await sitting.typeUntil(keys.ctrl("o"), "Show in full:");
  await sitting.typeUntil("row", "1 of 1");
  const shown = await sitting.typeUntil(keys.enter, /row 4\nrow 5\nrow 6/);
  const diff = await said(sitting, "/expand 2", "+four");

  expect(listed).toMatch(/> shell [\s\S]*\n {2}edit_file /);
  expect(shown).toContain(`    ${script}`);
  expect(diff).toMatch(/^● edit_file\n    path: tides\.md\n    oldText: two\n/);
}, 60_000);
