import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { askingModel, askingServer, formOf } from "../support/asking-server.ts";
import { confirm, giveAnswer, moveInto } from "./answer.ts";
import { testScreens } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";

const parser = `export function dayOf(text: string): number {
  const [day = ""] = text.split(".");
  return Number(day);
}
`;

const programs = "cat cksum comm cut diff expand fmt fold grep head md5sum sort wc".split(" ");

const calls = [
  [
    "edit_file",
    {
      path: "src/parser.ts",
      oldText: "Number(day)",
      newText: "Number.parseInt(day, 10) // of the month, without what may stand behind it",
    },
  ],
  ["write_file", { path: "docs/days.md", content: "# Days\n\nA day is read from the front.\n" }],
  ["shell", { command: "git log --oneline -- src/parser.ts" }],
  ["shell", { command: programs.map((program) => `${program} build.log`).join(" && ") }],
] as const;

testScreens(
  "approvals: a diff, a new file, and commands with scopes of always",
  { name: "approvals", config: "tools = { workspace = true }" },
  async ({ world, open }) => {
    await world.write("src/parser.ts", parser);
    for (const [name, input] of calls)
      world.model.enqueue({ kind: "tool-calls", calls: [{ id: name, name, arguments: JSON.stringify(input) }] });
    world.model.enqueueText("All is done but the last.");
    const sitting = await open({ rows: 30 });

    sitting.enter("Mend the parser");
    await sitting.shows("A change", {
      until: /Number\.parseInt[\s\S]*yes, this call/,
      from: /needs approval to run/,
    });
    await giveAnswer(sitting, "y");
    await sitting.shows("A change that was made; a new file", {
      until: /docs\/days\.md[\s\S]*yes, this call/,
      from: /● edit_file/,
    });
    await giveAnswer(sitting, "n");
    await sitting.shows("A file that was not written; a command", {
      until: /git log[\s\S]*yes, this call/,
      from: /● write_file/,
    });
    await giveAnswer(sitting, "2");
    await sitting.shows("A command that is long", {
      until: /cat build[\s\S]*yes, this call/,
      from: /needs approval to run/,
    });
    await sitting.sees("Key, then Enter");
    sitting.type("n");
    await sitting.shows("An answer that Enter gives", { until: "(Enter answers)", from: /needs approval to run/ });
    sitting.type("ot before half a message");
    await sitting.shows("Somebody writes while it is asked", {
      until: "half a message",
      from: /needs approval to run/,
    });
    sitting.type(keys.ctrl("o"));
    await sitting.shows("Ctrl-O shows all", { until: /^3 every call/m });
    await moveInto(sitting);
    await sitting.typeUntil(keys.down, "> y yes, this call");
    sitting.type(keys.down);
    await sitting.shows("In the question", { until: "> n no", from: /needs approval to run/ });
    sitting.type(keys.enter);
    await sitting.shows("What was denied is told", {
      until: /but the last\.[\s\S]* all$/,
      from: /● shell cat build/,
    });
  },
);

testScreens(
  "approvals in a trusted folder: f, and the list of /trust",
  { name: "approvals-folder", config: "tools = { workspace = true }" },
  async ({ world, open }) => {
    await mkdir(join(world.work, ".git"));
    world.model.enqueueCall("shell", { command: "git status" });
    world.model.enqueueText("Nothing has.");
    const sitting = await open({ rows: 40 });
    sitting.enter("/trust");
    await confirm(sitting, "Cancel", "Trust it");
    await sitting.sees(/is trusted with its\s+current content/);

    sitting.enter("What has changed?");
    await sitting.shows("A command in a folder that is trusted", {
      until: /^ +f in later[\s\S]*Key, then Enter/m,
      from: /needs approval to run/,
    });
    await giveAnswer(sitting, "f");
    await sitting.shows("After f", {
      until: /^ +f only in this[\s\S]*Key, then Enter/m,
      from: /needs approval to run/,
    });
    await giveAnswer(sitting, "2");
    await sitting.sees("Nothing has.");
    sitting.enter("/trust");
    await sitting.shows("/trust", { until: /to be asked again[\s\S]* all$/, from: /Nothing has\./ });
  },
);

const form = formOf(
  "Where are the tides wanted?",
  {
    city: { type: "string", title: "City", description: "By the sea, as its harbour office writes it" },
    days: { type: "integer", title: "Days", minimum: 1, maximum: 7, default: 2 },
    unit: { type: "string", title: "Unit", enum: ["metres", "feet"] },
  },
  ["city"],
);

testScreens(
  "questions: an MCP elicitation field by field, with a final review",
  { name: "questions", config: askingServer },
  async ({ world, open }) => {
    world.model.enqueue(...askingModel(form));
    const sitting = await open();
    sitting.enter("When is high water?");

    await sitting.shows("The first field", { until: "Shift-Tab answers" });
    await moveInto(sitting);
    await sitting.enterUntil("Porto", "2 of 3");
    sitting.enter("nine");
    await sitting.shows("What does not fit", { until: "That ", from: /asks you/ });
    sitting.type(keys.enter);
    await sitting.shows("A field with choices", { until: "3 of 3", from: /asks you/ });
    sitting.enter("1");
    await sitting.shows("All of it", { until: "send it", from: /asks you/ });
    await sitting.typeUntil(keys.down, "> y send it");
    sitting.type(keys.enter);
    await sitting.shows("It was sent", { until: /Done\.[\s\S]* all$/ });
  },
);
