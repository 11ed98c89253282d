import { test } from "bun:test";
import { join } from "node:path";
import { RecordedScreens, recordedWidths } from "./recorded-screens.ts";
import { newTerminalWorld } from "./terminal-world.ts";

for (const columns of recordedWidths("screens-lines"))
  test.concurrent(`screen reader mode: an answer, an approval, lists and tables as lines, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({
      config: 'system_prompt = "You help."\ntools = { workspace = true }',
    });
    await Bun.write(join(world.work, "tides.md"), "one\ntwo\nthree\n");
    await using screens = await RecordedScreens.of({ world, columns, name: "screen-reader" });
    const input = JSON.stringify({ path: "tides.md", oldText: "two", newText: "four" });
    world.model.enqueue(
      { kind: "tool-calls", calls: [{ id: "1", name: "edit_file", arguments: input }] },
      { kind: "text", chunks: ["It is ", "**four** now:\n\n- one\n- four\n"] },
    );
    const sitting = world.sit({ columns, rows: 40, args: ["--screen-reader"] });

    await screens.shows(sitting, "The beginning", { until: /ends\s+it\.\n>/ });
    sitting.enter("Count right");
    await screens.shows(sitting, "A call is asked about", { until: "Allow it", from: /^> Count/ });
    sitting.enter("y");
    await screens.shows(sitting, "The answer", { until: /- four\n+> *$/, from: /^> Count/ });
    sitting.enter("/model");
    await screens.shows(sitting, "/model", { until: "Number, or Enter", from: /^> \/model/ });
    sitting.enter("");
    await sitting.sees(/Number, or Enter.*\n> *$/);
    sitting.enter("/context");
    await screens.shows(sitting, "/context", { until: /Free[\s\S]*\n> *$/, from: /^> \/context/ });
    sitting.enter("/cost");
    await screens.shows(sitting, "/cost", { until: /Today[\s\S]*\n> *$/, from: /^> \/cost/ });
    sitting.enter("/modle");
    await screens.shows(sitting, "A command that nobody knows", {
      until: /did you mean[\s\S]*\n> *$/,
      from: /^> \/modle/,
    });
    sitting.enter("/quit");
    await sitting.exited;
    await screens.shows(sitting, "The end", { until: "Go on with", from: /^> \/quit/ });
  }, 120_000);
