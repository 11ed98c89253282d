import { test } from "bun:test";
import { join } from "node:path";
import { RecordedScreens, recordedWidths } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const words =
  "The moon pulls at the sea, and the sea follows it round the earth, twice a day. \n\n```ts\nconst high = 3.2;\n```\n\nThat is all.";

for (const columns of recordedWidths("screens-running 1"))
  test.concurrent(`running work: status, queue, a resized growing answer, Esc and Ctrl-C, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld();
    const { model } = world;
    await using screens = await RecordedScreens.of({ world, columns, name: "running" });
    model.enqueue({ kind: "text", chunks: words.split(/(?<= )/), gate: true });
    const sitting = world.sit({ columns });
    await sitting.sees("local/test");

    sitting.enter("Why are there tides?");
    await model.waitForRequests(1);
    await screens.shows(sitting, "The model is waited for", { until: "Waiting for" });
    await model.waitFor(({ waitingChunks }) => waitingChunks > 0);
    for (let count = 0; count < 11; count += 1) model.release();
    sitting.enter(
      "Write that into docs/tides.md, with the sources that you have, and a table of the heights in Porto",
    );
    await sitting.sees("1. Write");
    sitting.enter("Then mend the tests");
    await screens.shows(sitting, "Messages wait while an answer grows", { until: "2. Then mend" });
    sitting.type("/queue");
    sitting.type(keys.enter);
    await screens.shows(sitting, "/queue", { until: "Enter selects" });
    sitting.type(keys.escape);
    await sitting.sees((screen) => !screen.includes("Enter selects"));
    sitting.type(keys.altUp);
    await screens.shows(sitting, "Alt-Up edits the last one", { until: /─\nThen mend the tests/ });
    sitting.type(keys.ctrl("c"));
    sitting.resize(columns - 8, 24);
    await screens.shows(sitting, "A narrower window in the middle of the answer", {
      from: /^The moon/,
      until: /─\n\n─/,
    });
    sitting.resize(columns, 24);
    sitting.type(keys.escape);
    await screens.shows(sitting, "Esc has stopped it, and what waited is back in the editor", {
      from: /^The moon/,
      until: /Stopped[\s\S]*─\nWrite that/,
    });
    sitting.type(keys.ctrl("c"));
    await sitting.sees((screen) => !screen.includes("Write that"));
    sitting.type(keys.ctrl("c"));
    await screens.shows(sitting, "Ctrl-C", { until: "Ctrl-C again", from: /Stopped/ });
    // A second press counts for two seconds; on a slow machine it counts as a first one.
    sitting.type(keys.ctrl("c").repeat(2));
    await sitting.exited;
    await screens.shows(sitting, "A second Ctrl-C", { until: "Go on with", from: /Ctrl-C again/ });
  }, 120_000);

const count = `for i in 1 2 3 4 5 6 7 8; do echo "line $i of the log"; done; until [ -e go ]; do :; done; echo done`;

for (const columns of recordedWidths("screens-running 2"))
  test.concurrent(`tools: live then folded output, a failure, thoughts, and model errors, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
    const { model } = world;
    await using screens = await RecordedScreens.of({ world, columns, name: "tools-run" });
    const shell = (command: string): void =>
      model.enqueue({
        kind: "tool-calls",
        calls: [{ id: command, name: "shell", arguments: JSON.stringify({ command }) }],
      });
    shell(count);
    shell("ls /nowhere/at/all");
    model.enqueue({ kind: "text", chunks: ["The log is read, and **nothing** is there."] });
    model.enqueue({
      kind: "error",
      status: 400,
      body: JSON.stringify({ error: { message: "This model is closed for today" } }),
    });
    const sitting = world.sit({ columns, rows: 40, args: ["--allow", "shell"] });
    await sitting.sees("local/test");

    sitting.enter("Read the log");
    await screens.shows(sitting, "What a command prints, while it runs", {
      until: /line 8 of the log[\s\S]* 1 s/,
      isTimed: true,
    });
    await Bun.write(join(world.work, "go"), "");
    await screens.shows(sitting, "Results are folded; a call has failed", {
      // Duration of the first call; on a slow machine, the second takes a second as well.
      until: /echo\s+done\s[\s\S]*· \d+\.\d s\n[\s\S]*is there\.[\s\S]* all$/,
    });
    sitting.type(keys.ctrl("o"));
    await screens.shows(sitting, "Ctrl-O shows all of the result that is folded", {
      until: /is there\.[\s\S]*line 5 of the log/,
      from: /is there\.$/,
    });
    sitting.enter("And now?");
    await screens.shows(sitting, "The model has refused", { until: "The turn failed", from: /> And now/ });
  }, 120_000);
