import { expect } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { testScreens } from "./recorded-screens.ts";
import { keys } from "./sitting.ts";

const long =
  "Mend the parser of dates, which takes the thirty-first of April for the first of May, and add a test for it";

testScreens(
  "conversations: /resume, /fork, /undo, /title, /history, /export and /new",
  { name: "conversations", config: `system_prompt = "You help."` },
  async ({ world, open }) => {
    const elsewhere = join(world.home, "elsewhere");
    await mkdir(elsewhere);
    await world.run(["-q", long], { cwd: elsewhere });
    await world.run(["-q", "Write a poem about the sea"]);
    world.model.enqueueText("It is **mended**:\n\n- the length of each month is known\n- a test holds it");
    const sitting = await open({ rows: 30 });
    await sitting.enterUntil(long, /holds it[\s\S]* all$/);
    await sitting.enterUntil("Thank you", "Reply 4");

    sitting.enter("/resume");
    await sitting.shows("/resume", { until: /\d of 3[\s\S]*/, from: /^Reply 4/ });
    sitting.type("poem");
    await sitting.shows("/resume, with a search", { until: /│ Reply 2/, from: /^Reply 4/ });
    await sitting.typeUntil(keys.escape, (screen) => !screen.includes("Esc cancels"));
    sitting.enter("/title The dates of April");
    await sitting.shows("/title", { until: /The dates of April"/, from: /^Reply 4/ });
    sitting.enter("/export talk.jsonl");
    await sitting.shows("/export", { until: /Wrote/, from: /The dates of/ });
    sitting.enter("/fork");
    await sitting.shows("/fork", { until: "Esc cancels", from: /Wrote/ });
    await sitting.typeUntil("thank", /^> Thank you/m);
    sitting.type(keys.enter);
    await sitting.shows("A fork of the conversation", { until: /─\nThank you\n─/, from: /Wrote/ });
    sitting.type(keys.ctrl("c"));
    sitting.enter("/history 1");
    await sitting.shows("/history", { until: "1 message", from: /^· .*\/resume|^ .*\/resume/ });
    sitting.enter("/undo");
    await sitting.shows("/undo", { until: /─\nMend the parser[\s\S]*─/, from: /1 message/ });
    sitting.type(keys.ctrl("c"));
    sitting.enter("/new");
    await sitting.shows("/new", { until: "starts a new conversation", from: /\/resume/ });
    await sitting.enterUntil("/resume poem", "│ Reply 2");
    sitting.type(keys.enter);
    await sitting.shows("Another conversation is opened", { until: /Opened "/, from: /starts a new/ });
    await sitting.enterUntil("One more", "Reply 5");
    expect(world.lastBody).toContain("the sea");
  },
);

const rules = `system_prompt = "You help people who write programs. Rules of this folder:\\n[file:SEA.md]"`;

testScreens(
  "the prompt: /prompt, /explain, /rebuild and /compact, and changes in the status",
  { name: "prompt", config: rules },
  async ({ world, open }) => {
    await world.write("SEA.md", "Be brief, be kind, and say what you do not know.\n");
    const sitting = await open({ rows: 40 });

    sitting.enter("/prompt");
    await sitting.shows("/prompt, before the first message", { until: "SHA-256", from: /Preview of the/ });
    await sitting.enterUntil("Hello there", /Reply 1[\s\S]* all$/);
    sitting.enter("/prompt");
    await sitting.shows("/prompt", { until: /built[\s\S]*SHA-256/, from: /System prompt, built/ });
    sitting.enter("/explain");
    await sitting.shows("/explain", { until: /system_prompt[\s\S]*SHA-256/, from: /^Base template/ });
    await world.write("SEA.md", "Be brief.\n");
    sitting.enter("Hello again");
    await sitting.shows("A file of the prompt has changed", {
      until: /Reply 2[\s\S]*changed since/,
      from: /Reply 2/,
    });
    sitting.enter("/rebuild");
    await sitting.shows("/rebuild asks with the price", { until: "> Rebuild", from: /Reply 2/ });
    sitting.type(keys.enter);
    await sitting.shows("It was rebuilt", { until: "Rebuilt", from: /Reply 2/ });
    sitting.enter("/model local/other");
    await sitting.shows("/model in the middle of a conversation", { until: /cached\s+prefix/, from: /Rebuilt/ });
    sitting.enter("Hello once more");
    await sitting.shows("The cache broke", { until: "The cache broke", from: /Reply 3/ });
    world.model.enqueueText("They have said hello, three times.");
    sitting.enter("/compact");
    await sitting.shows("/compact", { until: /\(epoch\s+2\)/, from: /Reply 3/ });
    await sitting.enterUntil("And now?", "Reply 5");
    expect(world.lastBody).toContain("They have said hello, three times.");
    expect(world.lastBody).not.toContain("Hello there");
  },
);

testScreens(
  "/prompt versions: stored templates with a search, and a selected one",
  { name: "prompt-versions" },
  async ({ world, open }) => {
    const sitting = await open({ rows: 40, env: { USER: "somebody" } });
    sitting.enter("/prompt versions");
    await sitting.shows("No template was stored yet", { until: "incipit prompt set", from: /^Which/ });
    await sitting.typeUntil(keys.escape, (screen) => !screen.includes("Esc cancels"));
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
    await sitting.shows("/prompt versions", { until: /\(current\)[\s\S]*│ You write\./, from: /^Which/ });
    sitting.type("week");
    await sitting.shows("/prompt versions, with a search", { until: /left out[\s\S]*1 of 1/, from: /^Which/ });
    sitting.type(keys.enter);
    await sitting.shows("One was taken", { until: "as version 4", from: /help shows/ });
    sitting.enter("/prompt");
    await sitting.shows("/prompt shows it", { until: "SHA-256", from: /^Preview of the/ });
    sitting.enter("/prompt verions");
    await sitting.shows("A word that it does not know", { until: '"versions" or no argument', from: /SHA-256/ });

    const { stdout } = await world.run(["prompt", "show"]);
    expect(stdout).toBe("You review what others wrote.\nSay what could be left out.\n");
  },
);
