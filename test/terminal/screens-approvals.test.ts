import { test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { askingModel, askingServer, formOf } from "../support/asking-server.ts";
import { confirm, giveAnswer, moveInto } from "./answer.ts";
import { RecordedScreens, recordedWidths } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

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

for (const columns of recordedWidths("screens-approvals 1"))
  test.concurrent(`approvals: a diff, a new file, and commands with scopes of always, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
    await Bun.write(join(world.work, "src/parser.ts"), parser);
    await using screens = await RecordedScreens.of({ world, columns, name: "approvals" });
    for (const [name, input] of calls)
      world.model.enqueue({ kind: "tool-calls", calls: [{ id: name, name, arguments: JSON.stringify(input) }] });
    world.model.enqueue({ kind: "text", chunks: ["All is done but the last."] });
    const sitting = world.sit({ columns, rows: 30 });
    await sitting.sees("local/test");

    sitting.enter("Mend the parser");
    await screens.shows(sitting, "A change", {
      until: /Number\.parseInt[\s\S]*yes, this call/,
      from: /needs approval to run/,
    });
    await giveAnswer(sitting, "y");
    await screens.shows(sitting, "A change that was made; a new file", {
      until: /docs\/days\.md[\s\S]*yes, this call/,
      from: /● edit_file/,
    });
    await giveAnswer(sitting, "n");
    await screens.shows(sitting, "A file that was not written; a command", {
      until: /git log[\s\S]*yes, this call/,
      from: /● write_file/,
    });
    await giveAnswer(sitting, "2");
    await screens.shows(sitting, "A command that is long", {
      until: /cat build[\s\S]*yes, this call/,
      from: /needs approval to run/,
    });
    await sitting.sees("Key, then Enter");
    sitting.type("n");
    await screens.shows(sitting, "An answer that Enter gives", {
      until: "(Enter answers)",
      from: /needs approval to run/,
    });
    sitting.type("ot before half a message");
    await screens.shows(sitting, "Somebody writes while it is asked", {
      until: "half a message",
      from: /needs approval to run/,
    });
    sitting.type(keys.ctrl("o"));
    await screens.shows(sitting, "Ctrl-O shows all", { until: /^3 every call/m });
    await moveInto(sitting);
    sitting.type(keys.down);
    await sitting.sees("> y yes, this call");
    sitting.type(keys.down);
    await screens.shows(sitting, "In the question", { until: "> n no", from: /needs approval to run/ });
    sitting.type(keys.enter);
    await screens.shows(sitting, "What was denied is told", {
      until: /but the last\.[\s\S]* all$/,
      from: /● shell cat build/,
    });
  }, 120_000);

for (const columns of recordedWidths("screens-approvals 2"))
  test.concurrent(`approvals in a trusted folder: f, and the list of /trust, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
    await mkdir(join(world.work, ".git"));
    await using screens = await RecordedScreens.of({ world, columns, name: "approvals-folder" });
    const call = { id: "call-1", name: "shell", arguments: JSON.stringify({ command: "git status" }) };
    world.model.enqueue({ kind: "tool-calls", calls: [call] }, { kind: "text", chunks: ["Nothing has."] });
    const sitting = world.sit({ columns, rows: 40 });
    await sitting.sees("local/test");
    sitting.enter("/trust");
    await confirm(sitting, "Cancel", "Trust it");
    await sitting.sees(/is trusted with its\s+current content/);

    sitting.enter("What has changed?");
    await screens.shows(sitting, "A command in a folder that is trusted", {
      until: /^ +f in later[\s\S]*Key, then Enter/m,
      from: /needs approval to run/,
    });
    await giveAnswer(sitting, "f");
    await screens.shows(sitting, "After f", {
      until: /^ +f only in this[\s\S]*Key, then Enter/m,
      from: /needs approval to run/,
    });
    await giveAnswer(sitting, "2");
    await sitting.sees("Nothing has.");
    sitting.enter("/trust");
    await screens.shows(sitting, "/trust", { until: /to be asked again[\s\S]* all$/, from: /Nothing has\./ });
  }, 120_000);

const form = formOf(
  "Where are the tides wanted?",
  {
    city: { type: "string", title: "City", description: "By the sea, as its harbour office writes it" },
    days: { type: "integer", title: "Days", minimum: 1, maximum: 7, default: 2 },
    unit: { type: "string", title: "Unit", enum: ["metres", "feet"] },
  },
  ["city"],
);

for (const columns of recordedWidths("screens-approvals 3"))
  test.concurrent(`questions: an MCP elicitation field by field, with a final review, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ more: askingServer });
    world.model.enqueue(...askingModel(form));
    await using screens = await RecordedScreens.of({ world, columns, name: "questions" });
    const sitting = world.sit({ columns });
    await sitting.sees("local/test");
    sitting.enter("When is high water?");

    await screens.shows(sitting, "The first field", { until: "Shift-Tab answers" });
    await moveInto(sitting);
    sitting.enter("Porto");
    await sitting.sees("2 of 3");
    sitting.enter("nine");
    await screens.shows(sitting, "What does not fit", { until: "That ", from: /asks you/ });
    sitting.type(keys.enter);
    await screens.shows(sitting, "A field with choices", { until: "3 of 3", from: /asks you/ });
    sitting.enter("1");
    await screens.shows(sitting, "All of it", { until: "send it", from: /asks you/ });
    sitting.type(keys.down);
    await sitting.sees("> y send it");
    sitting.type(keys.enter);
    await screens.shows(sitting, "It was sent", { until: /Done\.[\s\S]* all$/ });
  }, 120_000);
