import { test } from "bun:test";
import { RecordedScreens, recordedWidths } from "./recorded-screens.ts";
import { interactiveShell } from "./shell-session.ts";
import { keys, type Sitting } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const titles = ["Mend the parser of dates, which takes the thirty-first of April for the first of May", "東京の潮"];

/** The first presses beep or complete the common part, and a busy machine may be late. */
async function list(sitting: Sitting, line: string): Promise<void> {
  sitting.type(line);
  await sitting.sees(line.trimEnd());
  for (let said = ""; !said.includes("\n");) {
    const before = sitting.bytes.length;
    sitting.type(keys.tab);
    await sitting.sees(() => sitting.bytes.length > before);
    said = sitting.bytes.slice(before);
  }
}

for (const columns of recordedWidths("screens-completions"))
  test.concurrent(`Tab in bash: commands, conversations with titles, models and option values, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld();
    await using screens = await RecordedScreens.of({ world, columns, name: "completions" });
    for (const title of titles) await world.run(["-q", title]);
    const sitting = await interactiveShell(world, { columns, rows: 40 });
    sitting.enter("source <(incipit completions bash); bind 'set page-completions off'; clear; echo Ready");
    await sitting.sees(/^Ready\nat the shell>$/);
    const clear = async (): Promise<void> => {
      sitting.type(keys.ctrl("u"));
      sitting.enter("clear; echo Ready");
      await sitting.sees(/^Ready\nat the shell>$/);
    };

    await list(sitting, "incipit con");
    await screens.shows(sitting, "incipit con", { until: /conversations {2}\(/ });
    await clear();
    await list(sitting, "incipit conversations ");
    await screens.shows(sitting, "incipit conversations", { until: "unarchive" });
    await clear();
    // The common prefix of the ids is typed, which depends on their times.
    await list(sitting, "incipit -s ");
    const listed = await sitting.sees(/\(Mend the[\s\S]*\(東京/);
    screens.printed("incipit -s", listed.match(/^\S+ {2}\(.*\)$/gm)?.join("\n") ?? "");
    await clear();
    await list(sitting, "incipit --system-mode ");
    await screens.shows(sitting, "incipit --system-mode", { until: /append\s+replace|replace\s+append/ });
  }, 120_000);
