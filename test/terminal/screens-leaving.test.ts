import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { testScreens } from "./recorded-screens.ts";
import { interactiveShell } from "./shell-session.ts";
import { keys } from "./sitting.ts";

const editor = `#!/bin/sh
cat "$1" > /dev/tty
printf "\\nOne more line: " > /dev/tty
read -r line < /dev/tty
[ "$line" != ":cq" ] || exit 1
printf "\\n%s\\n" "$line" >> "$1"
`;

const words = "The moon pulls at the sea, and the sea follows it round the earth, twice a day.";

testScreens(
  "leaving: Ctrl-G with an external editor, Ctrl-Z and fg, /stop and /quit",
  { name: "leaving" },
  async ({ world, sit }) => {
    const { model } = world;
    model.enqueue({ kind: "text", chunks: words.split(/(?<= )/), gate: true });
    const path = join(world.home, "line-editor");
    await Bun.write(path, editor);
    await chmod(path, 0o755);
    const sitting = await interactiveShell({ home: world.home, sit }, { rows: 40, env: { VISUAL: path } });
    await sitting.enterUntil("incipit", "local/test");

    await sitting.typeUntil("Three things about tides:", /^Three things/m);
    sitting.type(keys.ctrl("g"));
    await sitting.shows("Ctrl-G: the editor has the terminal", { until: /One more line:$/ });
    sitting.enter("- when they are high");
    await sitting.shows("What was written there is in the message", { until: /^- when they are high\n─/m });
    await sitting.typeUntil(keys.ctrl("g"), /high\n\n?One more line:$/);
    sitting.enter(":cq");
    await sitting.shows("An editor that fails changes nothing", { until: /nothing\s+was\s+changed/ });
    sitting.type(keys.ctrl("z"));
    await sitting.shows("Ctrl-Z: the shell has the terminal", { until: /Stopped/ });
    sitting.enter("clear; fg");
    await sitting.shows("fg: the message is as it was", { until: /^- when they are high\n─/m });
    sitting.type(keys.enter);
    await model.waitForRequests(1);
    await model.waitFor(({ waitingChunks }) => waitingChunks > 0);
    for (let count = 0; count < 6; count += 1) model.release();
    await sitting.sees("at the sea,");
    sitting.enter("/stop");
    await sitting.shows("/stop in an answer", { until: "Stopped", from: /^> Three things/ });
    sitting.enter("/stop");
    await sitting.shows("/stop where nothing runs", { until: "No turn is running", from: /^The moon/ });
    sitting.enter("/quit");
    await sitting.shows("/quit", { until: /Go on with[\s\S]*at the shell>$/, from: /Nothing runs/ });
  },
);
