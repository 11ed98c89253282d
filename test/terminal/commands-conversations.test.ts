import { expect, test } from "bun:test";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { incipit } from "../support/host-process.ts";
import { said } from "./said.ts";
import { keys, type Sitting } from "./sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

const config = `system_prompt = "You help."`;

async function begun(world: TerminalWorld, columns = 80): Promise<Sitting> {
  const sitting = world.sit({ columns, rows: 40 });
  await sitting.sees("local/test");
  return sitting;
}

function written(sitting: Sitting): string {
  const [, text = ""] = /\n─+\n([^─]*)\n─+\n/.exec(`\n${sitting.screen()}\n`) ?? [];
  return text;
}

test("/undo returns the last message to the editor and continues in a copy", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await begun(world);
  await said(sitting, "Hello there", "Reply 1");
  await said(sitting, "A mistake", "Reply 2");

  sitting.enter("/undo");
  await sitting.sees(/The original is unchanged:\s+\/resume/);
  await sitting.sees(() => written(sitting) === "A mistake");
  const [id = ""] = /(?<=\/resume\s+)[0-9a-f-]{36}/.exec(sitting.screen()) ?? [];
  sitting.type(keys.ctrl("u"));
  await said(sitting, "The right one", "Reply 3");
  const kept = await said(sitting, `/resume ${id}`, /Opened ".*"/);

  expect(world.model.requests[2]?.body).not.toContain("A mistake");
  expect(world.model.requests[2]?.body).toContain("Reply 1");
  expect(kept).toContain("> A mistake");
  expect(kept).not.toContain("The right one");
}, 300_000);

test("/undo and /fork explain what to do during a turn and in an empty conversation", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await begun(world);
  await said(sitting, "/undo", "No message to undo");
  await said(sitting, "/fork", "nothing to fork");
  world.model.enqueue({ kind: "text", chunks: ["Slow", "ly"], gate: true });
  sitting.enter("Hello there");
  await sitting.sees("Slow");

  await said(sitting, "/undo", "A turn is running: stop it with Esc");
  await said(sitting, "/stop", "Stopped");
  await said(sitting, "/stop", "No turn is running");
}, 300_000);

test("/new leaves a running turn alone, and /resume shows its complete answer", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await begun(world);
  world.model.enqueue({ kind: "text", chunks: ["Slow", "ly done"], gate: true });
  sitting.enter("The long one");
  await sitting.sees("Slow");

  await said(sitting, "/new", "The next message starts a new conversation");
  const next = await said(sitting, "The short one", "Reply 2");
  world.model.releaseAll();
  sitting.enter("/resume The long");
  await sitting.sees("│ Slowly done");
  sitting.type(keys.enter);
  const back = await sitting.sees(/Slowly done[\s\S]*Opened/);

  expect(sitting.everything()).toContain("The turn continues in the background: /resume returns to it");
  expect(next).not.toContain("Slow");
  expect(back).toContain("> The long one");
}, 300_000);

test("/fork continues from a chosen message, with a user's text in the editor", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await begun(world);
  await said(sitting, "Hello there", "Reply 1");
  await said(sitting, "And the tests?", "Reply 2");

  sitting.enter("/fork");
  const list = await sitting.sees("1 of 5");
  sitting.type("tests");
  await sitting.sees("1 of 1 (5 in total)");
  sitting.type(keys.enter);
  await sitting.sees(() => written(sitting) === "And the tests?");
  sitting.type(keys.ctrl("u"));
  await said(sitting, "And the docs?", "Reply 3");

  expect(list).toContain("> All messages");
  expect(world.model.requests[2]?.body).not.toContain("And the tests?");
  expect(world.model.requests[2]?.body).toContain("Reply 1");
}, 300_000);

for (const columns of [50, 80])
  test(`/resume lists the folder's own conversations first, filters and opens them, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config });
    const elsewhere = join(world.home, "elsewhere");
    await mkdir(elsewhere);
    await incipit(["Mend the parser of the other folder"], { cwd: elsewhere, home: world.home });
    await world.run(["Write a poem about the sea"]);
    const sitting = await begun(world, columns);
    await said(sitting, "Mend the parser, please", "Reply 3");

    sitting.enter("/resume");
    const list = await sitting.sees("│ Reply 3");
    sitting.type("poem");
    await sitting.sees("1 of 1 (3 in total)");
    await sitting.sees("│ Reply 2");
    sitting.type(keys.enter);
    await sitting.sees(/Opened "Write a poem about the sea"/);
    await said(sitting, "One more", "Reply 4");

    const shown = list.slice(list.indexOf("Which conversation?")).replaceAll(world.home, "~home~");
    const rows = shown.split("\n").filter((row) => /just now/.test(row));
    expect(rows.map((row) => /(Mend the parser,|Write|Mend)/.exec(row)?.[0])).toEqual([
      "Mend the parser,",
      "Write",
      "Mend",
    ]);
    expect(world.model.requests[3]?.body).toContain("the sea");
    expect(Math.max(...list.split("\n").map((row) => Bun.stringWidth(row)))).toBeLessThanOrEqual(columns);
  }, 300_000);

test("/resume reports an empty list, and an unknown id matches nothing", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await begun(world);

  sitting.enter("/resume");
  await sitting.sees("No conversations yet: the first message starts one");
  sitting.type(keys.escape);
  await sitting.sees(/^─+$/m);
  await said(sitting, "Hello there", "Reply 1");
  sitting.enter("/resume zzzzzz");
  await sitting.sees("no matches (1 in total)");
  sitting.type(keys.enter);
  await said(sitting, "Go on", "Reply 2");
}, 300_000);

test("/queue returns a queued message to the editor, or removes one", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await begun(world);
  await said(sitting, "/queue", "The queue is empty");
  world.model.enqueue({ kind: "text", chunks: ["Slow", "ly"], gate: true });
  sitting.enter("Hello there");
  await sitting.sees("Slow");
  for (const text of ["The second", "The third"]) {
    sitting.enter(text);
    await sitting.sees(new RegExp(String.raw`\d\. ${text}`));
  }

  sitting.enter("/queue");
  await sitting.sees("> 1. The second");
  sitting.type(keys.enter);
  await sitting.sees("> Return it to the editor");
  sitting.type(keys.enter);
  await sitting.sees(() => written(sitting) === "The second");
  sitting.type(keys.ctrl("u"));
  sitting.enter("/queue");
  await sitting.sees("> 1. The third");
  sitting.type(keys.enter);
  await sitting.sees("Remove it");
  sitting.type(`${keys.down}${keys.enter}`);
  await sitting.sees("Removed");
  world.model.releaseAll();
  await sitting.sees(/\$[\d.]+ all/);

  expect(world.model.requests).toHaveLength(1);
}, 300_000);

test("/title names a conversation, /new starts another, /history shows the messages", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await begun(world);
  await said(sitting, "/title", "No title yet");
  await said(sitting, "Hello there", "Reply 1");
  await said(sitting, "/title The  parser", 'Title: "The parser"');
  await said(sitting, "/title", 'Title: "The parser"; /title TEXT changes it');
  await said(sitting, "Once more", "Reply 2");

  const all = await said(sitting, "/history", "4 messages");
  const last = await said(sitting, "/history 1", "1 message");
  await said(sitting, "/history many", "Nothing was done: write /history [N]");
  await said(sitting, "/new", "The next message starts a new conversation");
  const none = await said(sitting, "/history", "No messages yet");

  expect(all).toMatch(/> Hello there\s+Reply 1\s+> Once more\s+Reply 2/);
  expect(last).not.toContain("Hello there");
  expect(none).not.toContain("Reply");
}, 300_000);

test("/export writes an importable file, confirms overwriting, and explains failures", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await begun(world);
  await said(sitting, "/export a.jsonl", "nothing to export");
  await said(sitting, "Hello there", "Reply 1");
  const file = join(world.work, "a.jsonl");

  await said(sitting, "/export", "Name a file, for example");
  await said(sitting, "/export a.jsonl", /Wrote [\d,]+ bytes to/);
  const first = await Bun.file(file).text();
  await said(sitting, "Once more", "Reply 2");
  sitting.enter("/export a.jsonl");
  await sitting.sees("> Replace it");
  sitting.type(keys.escape);
  await sitting.sees("Nothing was written");
  const second = await Bun.file(file).text();
  await said(sitting, "/export nowhere/a.jsonl", /its folder does\s+not/);
  await sitting.sees(() => written(sitting) === "/export nowhere/a.jsonl");
  sitting.type(keys.ctrl("u"));
  sitting.enter("/export a.jsonl");
  await sitting.sees("> Replace it");
  sitting.type(keys.enter);
  await sitting.sees(() => Bun.file(file).size > first.length && sitting.screen().split("Wrote").length > 2);

  expect(second).toBe(first);
  expect(JSON.parse(first.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ type: "end" });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
}, 300_000);
