import { testScreens } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";

const words =
  "The moon pulls at the sea, and the sea follows it round the earth, twice a day. \n\n```ts\nconst high = 3.2;\n```\n\nThat is all.";

testScreens(
  "running work: status, queue, a resized growing answer, Esc and Ctrl-C",
  { name: "running" },
  async ({ world, columns, open }) => {
    const { model } = world;
    model.enqueue({ kind: "text", chunks: words.split(/(?<= )/), gate: true });
    const sitting = await open();

    sitting.enter("Why are there tides?");
    await model.waitForRequests(1);
    await sitting.shows("The model is waited for", { until: "Waiting for" });
    await model.waitFor(({ waitingChunks }) => waitingChunks > 0);
    for (let count = 0; count < 11; count += 1) model.release();
    await sitting.enterUntil(
      "Write that into docs/tides.md, with the sources that you have, and a table of the heights in Porto",
      "1. Write",
    );
    sitting.enter("Then mend the tests");
    await sitting.shows("Messages wait while an answer grows", { until: "2. Then mend" });
    sitting.type("/queue");
    sitting.type(keys.enter);
    await sitting.shows("/queue", { until: "Enter selects" });
    await sitting.typeUntil(keys.escape, (screen) => !screen.includes("Enter selects"));
    sitting.type(keys.altUp);
    await sitting.shows("Alt-Up edits the last one", { until: /─\nThen mend the tests/ });
    sitting.type(keys.ctrl("c"));
    sitting.resize(columns - 8, 24);
    await sitting.shows("A narrower window in the middle of the answer", { from: /^The moon/, until: /─\n\n─/ });
    sitting.resize(columns, 24);
    sitting.type(keys.escape);
    await sitting.shows("Esc has stopped it, and what waited is back in the editor", {
      from: /^The moon/,
      until: /Stopped[\s\S]*─\nWrite that/,
    });
    await sitting.typeUntil(keys.ctrl("c"), (screen) => !screen.includes("Write that"));
    sitting.type(keys.ctrl("c"));
    await sitting.shows("Ctrl-C", { until: "Ctrl-C again", from: /Stopped/ });
    // A second press counts for two seconds; on a slow machine it counts as a first one.
    sitting.type(keys.ctrl("c").repeat(2));
    await sitting.exited;
    await sitting.shows("A second Ctrl-C", { until: "Go on with", from: /Ctrl-C again/ });
  },
);

const count = `for i in 1 2 3 4 5 6 7 8; do echo "line $i of the log"; done; until [ -e go ]; do :; done; echo done`;

testScreens(
  "tools: live then folded output, a failure, thoughts, and model errors",
  { name: "tools-run", config: "tools = { workspace = true }" },
  async ({ world, open }) => {
    const { model } = world;
    model.enqueueCall("shell", { command: count });
    model.enqueueCall("shell", { command: "ls /nowhere/at/all" });
    model.enqueueText("The log is read, and **nothing** is there.");
    model.enqueue({
      kind: "error",
      status: 400,
      body: JSON.stringify({ error: { message: "This model is closed for today" } }),
    });
    const sitting = await open({ rows: 40, args: ["--allow", "shell"] });

    sitting.enter("Read the log");
    await sitting.shows("What a command prints, while it runs", {
      until: /line 8 of the log[\s\S]* 1 s/,
      isTimed: true,
    });
    await world.write("go", "");
    await sitting.shows("Results are folded; a call has failed", {
      // Duration of the first call; on a slow machine, the second takes a second as well.
      until: /echo\s+done\s[\s\S]*· \d+\.\d s\n[\s\S]*is there\.[\s\S]* all$/,
    });
    sitting.type(keys.ctrl("o"));
    await sitting.shows("Ctrl-O shows all of the result that is folded", {
      until: /is there\.[\s\S]*line 5 of the log/,
      from: /is there\.$/,
    });
    sitting.enter("And now?");
    await sitting.shows("The model has refused", { until: "The turn failed", from: /> And now/ });
  },
);
