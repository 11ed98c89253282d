import { join } from "node:path";
import { testScreens } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";

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

testScreens(
  "the editor: lines, pastes, file names, commands, pictures and history",
  { name: "writing" },
  async ({ world, open }) => {
    for (const [name, text] of Object.entries(files)) await Bun.write(join(world.work, name), text);
    await Bun.write(join(world.home, "dot.png"), png);
    await Bun.$`git init -q -b main`.cwd(world.work).env({ ...process.env, HOME: world.home });
    const sitting = await open({ env: { SHELL: "/bin/sh" } });
    const clear = async (): Promise<void> => {
      await sitting.typeUntil(keys.ctrl("c"), /^─+\n\n─+$/m);
    };

    const close = async (): Promise<void> => {
      await sitting.typeUntil(keys.escape, (screen) => !screen.includes("→"));
    };

    await sitting.shows("Before the first message", { until: "local/test" });
    sitting.type("Three things about the tides of this week, each on a line of its own:\n- high\n- low");
    await sitting.shows("A message of several lines", { until: "- low" });
    await clear();
    sitting.type(`Sum up ${keys.pasted("a line of a log\n".repeat(240))} in a sentence`);
    await sitting.shows("A long paste", { until: "in a sentence" });
    await clear();
    sitting.type(keys.pasted("rm \u001B[2J\u202Etxt.exe\u200B"));
    await sitting.shows("A paste with what steers a terminal", { until: /invisible or\s+control/ });
    await clear();
    sitting.type("Does it work as @dat");
    await sitting.shows("Files of the folder behind @", { until: /^→ /m });
    await close();
    await clear();
    sitting.type("/");
    await sitting.shows("Commands behind /", { until: /^→ /m });
    sitting.type("res");
    await sitting.shows("A command of which some letters are written", { until: /^→ \/resume/m });
    await close();
    await clear();
    await sitting.typeUntil(keys.pasted(join(world.home, "dot.png")), "[image 1");
    sitting.enter("What is on it?");
    await sitting.shows("A picture in a message", { until: /Reply 1[\s\S]* all$/ });
    await sitting.enterUntil("And how high is the water then?", "Reply 2");
    sitting.type(keys.ctrl("r"));
    await sitting.shows("What was sent before", { until: "of 2", from: /Reply 2/ });
    sitting.type("zzz");
    await sitting.shows("Nothing that was sent before fits", { until: "no matches", from: /Reply 2/ });
    await sitting.typeUntil(keys.escape, (screen) => !screen.includes("no matches"));
    await clear();
    sitting.enter("!ls src/parser; exit 3");
    await sitting.shows("A command of one's own", { until: "It ended with the code 3", from: /\$ ls src/ });
  },
);
