import { expect, test } from "bun:test";
import { join } from "node:path";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const edit = {
  id: "call-1",
  name: "edit_file",
  arguments: JSON.stringify({ path: "tides.md", oldText: "two", newText: "four" }),
};

test("the terminal: a change is asked about with its diff, and shown with it when it was made", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  await Bun.write(join(world.work, "tides.md"), "one\ntwo\nthree\n");
  world.model.enqueue({ kind: "tool-calls", calls: [edit] }, { kind: "text", chunks: ["Changed."] });
  const sitting = world.sit();
  await sitting.sees("local/test");
  sitting.enter("Count right");

  const asked = await sitting.sees("yes, this call");
  sitting.type("y");
  const done = await sitting.sees("Changed.");

  expect(asked).toContain("edit_file asks to run");
  expect(asked).toMatch(/│ -two\n│ \+four/);
  expect(done).toMatch(/● edit_file path=tides.md [\s\S]* -two\n +\+four/);
  expect(await Bun.file(join(world.work, "tides.md")).text()).toBe("one\nfour\nthree\n");
});

test("the terminal: what is typed before a question, and what is pasted, is no answer, and stays in the editor", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  await Bun.write(join(world.work, "tides.md"), "one\ntwo\n");
  world.model.enqueue({ kind: "tool-calls", calls: [edit] }, { kind: "text", chunks: ["Not changed."] });
  const sitting = world.sit();
  await sitting.sees("local/test");
  sitting.enter("Count right");
  sitting.type("yes and y");

  await sitting.sees("yes, this call");
  sitting.type(keys.pasted("y"));
  await sitting.sees("yes and yy");
  sitting.type("n");
  const done = await sitting.sees("Not changed.");

  expect(done).toContain("yes and yy");
  expect(await Bun.file(join(world.work, "tides.md")).text()).toBe("one\ntwo\n");
});

test("the terminal: what a command prints is seen while it runs, and folded when it has ended", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  const go = join(world.work, "go");
  const command = `i=0; while [ $i -lt 20 ]; do i=$((i+1)); echo "line $i"; done; until [ -e go ]; do :; done; echo done`;
  const call = { id: "call-1", name: "shell", arguments: JSON.stringify({ command }) };
  world.model.enqueue({ kind: "tool-calls", calls: [call] }, { kind: "text", chunks: ["It ran."] });
  const sitting = world.sit();
  await sitting.sees("local/test");
  sitting.enter("Run it");
  await sitting.sees("yes, this call");
  sitting.type("y");

  const running = await sitting.sees("20: line 20");
  await Bun.write(go, "");
  const done = await sitting.sees("It ran.");
  sitting.type(keys.ctrl("o"));
  const whole = await sitting.sees("exit code 0");

  expect(running).toMatch(/○ shell/);
  expect(done).toMatch(/ {4}line 5\n {4}… 17 more rows \(Ctrl-O shows all of it\)/);
  expect(whole).toContain("line 20\ndone\n[exit code 0]");
});
