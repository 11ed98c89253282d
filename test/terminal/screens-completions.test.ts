import { testScreens } from "./recorded-screens.ts";
import { interactiveShell } from "./shell-session.ts";
import { keys, type Sitting } from "./sitting.ts";

const titles = ["Mend the parser of dates, which takes the thirty-first of April for the first of May", "東京の潮"];

/** The first presses beep or complete the common part, and a busy machine may be late. */
async function list(sitting: Sitting, line: string): Promise<void> {
  await sitting.typeUntil(line, line.trimEnd());
  for (let said = ""; !said.includes("\n");) {
    const before = sitting.bytes.length;
    await sitting.typeUntil(keys.tab, () => sitting.bytes.length > before);
    said = sitting.bytes.slice(before);
  }
}

testScreens(
  "Tab in bash: commands, conversations with titles, models and option values",
  { name: "completions" },
  async ({ world, screens, sit }) => {
    for (const title of titles) await world.run(["-q", title]);
    const sitting = await interactiveShell({ home: world.home, sit }, { rows: 40 });
    await sitting.enterUntil(
      "source <(incipit completions bash); bind 'set page-completions off'; clear; echo Ready",
      /^Ready\nat the shell>$/,
    );
    const clear = async (): Promise<void> => {
      sitting.type(keys.ctrl("u"));
      await sitting.enterUntil("clear; echo Ready", /^Ready\nat the shell>$/);
    };

    await list(sitting, "incipit con");
    await sitting.shows("incipit con", { until: /conversations {2}\(/ });
    await clear();
    await list(sitting, "incipit conversations ");
    await sitting.shows("incipit conversations", { until: "unarchive" });
    await clear();
    // The common prefix of the ids is typed, which depends on their times.
    await list(sitting, "incipit -s ");
    const listed = await sitting.sees(/\(Mend the[\s\S]*\(東京/);
    screens.printed("incipit -s", listed.match(/^\S+ {2}\(.*\)$/gm)?.join("\n") ?? "");
    await clear();
    await list(sitting, "incipit --system-mode ");
    await sitting.shows("incipit --system-mode", { until: /append\s+replace|replace\s+append/ });
  },
);
