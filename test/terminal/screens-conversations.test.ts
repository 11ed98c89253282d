import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { incipit } from "../support/host-process.ts";
import { RecordedScreens, recordedWidths } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const long =
  "Mend the parser of dates, which takes the thirty-first of April for the first of May, and add a test for it";

for (const columns of recordedWidths("screens-conversations 1"))
  test.concurrent(`conversations: /resume, /fork, /undo, /title, /history, /export and /new, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config: `system_prompt = "You help."` });
    await using screens = await RecordedScreens.of({ world, columns, name: "conversations" });
    const elsewhere = join(world.home, "elsewhere");
    await mkdir(elsewhere);
    await incipit(["-q", long], { cwd: elsewhere, home: world.home });
    await world.run(["-q", "Write a poem about the sea"]);
    world.model.enqueue({
      kind: "text",
      chunks: ["It is **mended**:\n\n- the length of each month is known\n- a test holds it"],
    });
    const sitting = world.sit({ columns, rows: 30 });
    await sitting.sees("local/test");
    sitting.enter(long);
    await sitting.sees(/holds it[\s\S]* all$/);
    sitting.enter("Thank you");
    await sitting.sees("Reply 4");

    sitting.enter("/resume");
    await screens.shows(sitting, "/resume", { until: /\d of 3[\s\S]*/, from: /^Reply 4/ });
    sitting.type("poem");
    await screens.shows(sitting, "/resume, with a search", { until: /│ Reply 2/, from: /^Reply 4/ });
    sitting.type(keys.escape);
    await sitting.sees((screen) => !screen.includes("Esc cancels"));
    sitting.enter("/title The dates of April");
    await screens.shows(sitting, "/title", { until: /The dates of April"/, from: /^Reply 4/ });
    sitting.enter("/export talk.jsonl");
    await screens.shows(sitting, "/export", { until: /Wrote/, from: /The dates of/ });
    sitting.enter("/fork");
    await screens.shows(sitting, "/fork", { until: "Esc cancels", from: /Wrote/ });
    sitting.type("thank");
    await sitting.sees(/^> Thank you/m);
    sitting.type(keys.enter);
    await screens.shows(sitting, "A fork of the conversation", { until: /─\nThank you\n─/, from: /Wrote/ });
    sitting.type(keys.ctrl("c"));
    sitting.enter("/history 1");
    await screens.shows(sitting, "/history", { until: "1 message", from: /^· .*\/resume|^ .*\/resume/ });
    sitting.enter("/undo");
    await screens.shows(sitting, "/undo", { until: /─\nMend the parser[\s\S]*─/, from: /1 message/ });
    sitting.type(keys.ctrl("c"));
    sitting.enter("/new");
    await screens.shows(sitting, "/new", { until: "starts a new conversation", from: /\/resume/ });
    sitting.enter("/resume poem");
    await sitting.sees("│ Reply 2");
    sitting.type(keys.enter);
    await screens.shows(sitting, "Another conversation is opened", { until: /Opened "/, from: /starts a new/ });
  }, 120_000);

const rules = `system_prompt = "You help people who write programs. Rules of this folder:\\n[file:SEA.md]"`;

for (const columns of recordedWidths("screens-conversations 2"))
  test.concurrent(`the prompt: /prompt, /explain, /rebuild and /compact, and changes in the status, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config: rules });
    await using screens = await RecordedScreens.of({ world, columns, name: "prompt" });
    await Bun.write(join(world.work, "SEA.md"), "Be brief, be kind, and say what you do not know.\n");
    const sitting = world.sit({ columns, rows: 40 });
    await sitting.sees("local/test");

    sitting.enter("/prompt");
    await screens.shows(sitting, "/prompt, before the first message", { until: "SHA-256", from: /Preview of the/ });
    sitting.enter("Hello there");
    await sitting.sees(/Reply 1[\s\S]* all$/);
    sitting.enter("/prompt");
    await screens.shows(sitting, "/prompt", { until: /built[\s\S]*SHA-256/, from: /System prompt, built/ });
    sitting.enter("/explain");
    await screens.shows(sitting, "/explain", {
      until: /system_prompt[\s\S]*SHA-256/,
      from: /^Base template/,
    });
    await Bun.write(join(world.work, "SEA.md"), "Be brief.\n");
    sitting.enter("Hello again");
    await screens.shows(sitting, "A file of the prompt has changed", {
      until: /Reply 2[\s\S]*changed since/,
      from: /Reply 2/,
    });
    sitting.enter("/rebuild");
    await screens.shows(sitting, "/rebuild asks with the price", { until: "> Rebuild", from: /Reply 2/ });
    sitting.type(keys.enter);
    await screens.shows(sitting, "It was rebuilt", { until: "Rebuilt", from: /Reply 2/ });
    sitting.enter("/model local/other");
    await screens.shows(sitting, "/model in the middle of a conversation", {
      until: /cached\s+prefix/,
      from: /Rebuilt/,
    });
    sitting.enter("Hello once more");
    await screens.shows(sitting, "The cache broke", { until: "The cache broke", from: /Reply 3/ });
    world.model.enqueue({ kind: "text", chunks: ["They have said hello, three times."] });
    sitting.enter("/compact");
    await screens.shows(sitting, "/compact", { until: /\(epoch\s+2\)/, from: /Reply 3/ });
  }, 120_000);

for (const columns of recordedWidths("screens-conversations 3"))
  test.concurrent(`/prompt versions: stored templates with a search, and a selected one, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld();
    await using screens = await RecordedScreens.of({ world, columns, name: "prompt-versions" });
    const sitting = world.sit({ columns, rows: 40, env: { USER: "somebody" } });
    await sitting.sees("local/test");
    sitting.enter("/prompt versions");
    await screens.shows(sitting, "No template was stored yet", { until: "incipit prompt set", from: /^Which/ });
    sitting.type(keys.escape);
    await sitting.sees((screen) => !screen.includes("Esc cancels"));
    const store = async (text: string, note: string): Promise<void> => {
      expect(await world.run(["prompt", "set", text, "--note", note])).toMatchObject({ exitCode: 0 });
    };
    await store("You help.\nBe brief.", "For a start");
    await store(
      "You review what others wrote.\nSay what could be left out.",
      "Reviews of this week, which are long",
    );
    await store("You write.", "Writing");

    sitting.enter("/prompt versions");
    await screens.shows(sitting, "/prompt versions", { until: /\(current\)[\s\S]*│ You write\./, from: /^Which/ });
    sitting.type("week");
    await screens.shows(sitting, "/prompt versions, with a search", {
      until: /left out[\s\S]*1 of 1/,
      from: /^Which/,
    });
    sitting.type(keys.enter);
    await screens.shows(sitting, "One was taken", { until: "as version 4", from: /help shows/ });
    sitting.enter("/prompt");
    await screens.shows(sitting, "/prompt shows it", { until: "SHA-256", from: /^Preview of the/ });
    sitting.enter("/prompt verions");
    await screens.shows(sitting, "A word that it does not know", {
      until: '"versions" or no argument',
      from: /SHA-256/,
    });

    const { stdout } = await world.run(["prompt", "show"]);
    expect(stdout).toBe("You review what others wrote.\nSay what could be left out.\n");
  }, 120_000);
