import { test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { RecordedScreens, recordedWidths } from "./recorded-screens.ts";
import { interactiveShell } from "./shell-session.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const editor = `#!/bin/sh
cat "$1" > /dev/tty
printf "\\nOne more line: " > /dev/tty
read -r line < /dev/tty
[ "$line" != ":cq" ] || exit 1
printf "\\n%s\\n" "$line" >> "$1"
`;

const words = "The moon pulls at the sea, and the sea follows it round the earth, twice a day.";

for (const columns of recordedWidths("screens-leaving"))
  test.concurrent(`leaving: Ctrl-G with an external editor, Ctrl-Z and fg, /stop and /quit, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld();
    await using screens = await RecordedScreens.of({ world, columns, name: "leaving" });
    const { model } = world;
    model.enqueue({ kind: "text", chunks: words.split(/(?<= )/), gate: true });
    const path = join(world.home, "line-editor");
    await Bun.write(path, editor);
    await chmod(path, 0o755);
    const sitting = await interactiveShell(world, { columns, rows: 40, env: { VISUAL: path } });
    sitting.enter("incipit");
    await sitting.sees("local/test");

    sitting.type("Three things about tides:");
    await sitting.sees(/^Three things/m);
    sitting.type(keys.ctrl("g"));
    await screens.shows(sitting, "Ctrl-G: the editor has the terminal", { until: /One more line:$/ });
    sitting.enter("- when they are high");
    await screens.shows(sitting, "What was written there is in the message", {
      until: /^- when they are high\n─/m,
    });
    sitting.type(keys.ctrl("g"));
    await sitting.sees(/high\n\n?One more line:$/);
    sitting.enter(":cq");
    await screens.shows(sitting, "An editor that fails changes nothing", { until: /nothing\s+was\s+changed/ });
    sitting.type(keys.ctrl("z"));
    await screens.shows(sitting, "Ctrl-Z: the shell has the terminal", { until: /Stopped/ });
    sitting.enter("clear; fg");
    await screens.shows(sitting, "fg: the message is as it was", { until: /^- when they are high\n─/m });
    sitting.type(keys.enter);
    await model.waitForRequests(1);
    await model.waitFor(({ waitingChunks }) => waitingChunks > 0);
    for (let count = 0; count < 6; count += 1) model.release();
    await sitting.sees("at the sea,");
    sitting.enter("/stop");
    await screens.shows(sitting, "/stop in an answer", { until: "Stopped", from: /^> Three things/ });
    sitting.enter("/stop");
    await screens.shows(sitting, "/stop where nothing runs", { until: "No turn is running", from: /^The moon/ });
    sitting.enter("/quit");
    await screens.shows(sitting, "/quit", { until: /Go on with[\s\S]*at the shell>$/, from: /Nothing runs/ });
  }, 120_000);
