import { test } from "bun:test";
import { join } from "node:path";
import { RecordedScreens, recordedWidths } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const files = {
  "docs/tides of the Atlantic coast, with the heights.md": "Tides",
  "src/parser/dates.test.ts": "",
  "src/parser/dates.ts": "",
  "src/tide-tables.ts": "",
};

for (const columns of recordedWidths("screens-writing"))
  test.concurrent(`the editor: lines, pastes, file names, commands, pictures and history, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld();
    for (const [name, text] of Object.entries(files)) await Bun.write(join(world.work, name), text);
    await Bun.write(join(world.home, "dot.png"), png);
    await Bun.$`git init -q -b main`.cwd(world.work).env({ ...process.env, HOME: world.home });
    await using screens = await RecordedScreens.of({ world, columns, name: "writing" });
    const sitting = world.sit({ columns, env: { SHELL: "/bin/sh" } });
    await sitting.sees("local/test");
    const clear = async (): Promise<void> => {
      sitting.type(keys.ctrl("c"));
      await sitting.sees(/^─+\n\n─+$/m);
    };

    const close = async (): Promise<void> => {
      sitting.type(keys.escape);
      await sitting.sees((screen) => !screen.includes("→"));
    };

    await screens.shows(sitting, "Before the first message", { until: "local/test" });
    sitting.type("Three things about the tides of this week, each on a line of its own:\n- high\n- low");
    await screens.shows(sitting, "A message of several lines", { until: "- low" });
    await clear();
    sitting.type(`Sum up ${keys.pasted("a line of a log\n".repeat(240))} in a sentence`);
    await screens.shows(sitting, "A long paste", { until: "in a sentence" });
    await clear();
    sitting.type(keys.pasted("rm \u001B[2J\u202Etxt.exe\u200B"));
    await screens.shows(sitting, "A paste with what steers a terminal", { until: /invisible or\s+control/ });
    await clear();
    sitting.type("Does it work as @dat");
    await screens.shows(sitting, "Files of the folder behind @", { until: /^→ /m });
    await close();
    await clear();
    sitting.type("/");
    await screens.shows(sitting, "Commands behind /", { until: /^→ /m });
    sitting.type("res");
    await screens.shows(sitting, "A command of which some letters are written", { until: /^→ \/resume/m });
    await close();
    await clear();
    sitting.type(keys.pasted(join(world.home, "dot.png")));
    await sitting.sees("[image 1");
    sitting.enter("What is on it?");
    await screens.shows(sitting, "A picture in a message", { until: /Reply 1[\s\S]* all$/ });
    sitting.enter("And how high is the water then?");
    await sitting.sees("Reply 2");
    sitting.type(keys.ctrl("r"));
    await screens.shows(sitting, "What was sent before", { until: "of 2", from: /Reply 2/ });
    sitting.type("zzz");
    await screens.shows(sitting, "Nothing that was sent before fits", { until: "no matches", from: /Reply 2/ });
    sitting.type(keys.escape);
    await sitting.sees((screen) => !screen.includes("no matches"));
    await clear();
    sitting.enter("!ls src/parser; exit 3");
    await screens.shows(sitting, "A command of one's own", {
      until: "It ended with the code 3",
      from: /\$ ls src/,
    });
  }, 120_000);
