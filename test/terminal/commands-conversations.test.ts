import { expect, test } from "bun:test";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { said } from "./said.ts";
import { keys, type Sitting } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const config = `system_prompt = "You help."`;

function written(sitting: Sitting): string {
  const [, text = ""] = /\n─+\n([^─]*)\n─+\n/.exec(`\n${sitting.screen()}\n`) ?? [];
  return text;
}

test("/undo returns the last message to the editor and continues in a copy", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await world.open({ rows: 40 });
  await said(sitting, "Hello there", "Reply 1");
  await said(sitting, "A mistake", "Reply 2");

  await sitting.enterUntil("/undo", /The original is unchanged:\s+\/resume/);
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
  const sitting = await world.open({ rows: 40 });
  await said(sitting, "/undo", "No message to undo");
  await said(sitting, "/fork", "nothing to fork");
  world.model.enqueue({ kind: "text", chunks: ["Slow", "ly"], gate: true });
  await sitting.enterUntil("Hello there", "Slow");

  await said(sitting, "/undo", "A turn is running: stop it with Esc");
  await said(sitting, "/stop", "Stopped");
  await said(sitting, "/stop", "No turn is running");
}, 300_000);

test("/new leaves a running turn alone, and /resume shows its complete answer", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await world.open({ rows: 40 });
  world.model.enqueue({ kind: "text", chunks: ["Slow", "ly done"], gate: true });
  await sitting.enterUntil("The long one", "Slow");

  await said(sitting, "/new", "The next message starts a new conversation");
  const next = await said(sitting, "The short one", "Reply 2");
  world.model.releaseAll();
  await sitting.enterUntil("/resume The long", "│ Slowly done");
  const back = await sitting.typeUntil(keys.enter, /Slowly done[\s\S]*Opened/);

  expect(sitting.everything()).toContain("The turn continues in the background: /resume returns to it");
  expect(next).not.toContain("Slow");
  expect(back).toContain("> The long one");
}, 300_000);

test("/fork continues from a chosen message, with a user's text in the editor", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await world.open({ rows: 40 });
  await said(sitting, "Hello there", "Reply 1");
  await said(sitting, "And the tests?", "Reply 2");

  const list = await sitting.enterUntil("/fork", "1 of 5");
  await sitting.typeUntil("tests", "1 of 1 (5 in total)");
  await sitting.typeUntil(keys.enter, () => written(sitting) === "And the tests?");
  sitting.type(keys.ctrl("u"));
  await said(sitting, "And the docs?", "Reply 3");

  expect(list).toContain("> All messages");
  expect(world.model.requests[2]?.body).not.toContain("And the tests?");
  expect(world.model.requests[2]?.body).toContain("Reply 1");
}, 300_000);

test("/resume reports an empty list, and an unknown id matches nothing", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await world.open({ rows: 40 });

  await sitting.enterUntil("/resume", "No conversations yet: the first message starts one");
  await sitting.typeUntil(keys.escape, /^─+$/m);
  await said(sitting, "Hello there", "Reply 1");
  await sitting.enterUntil("/resume zzzzzz", "no matches (1 in total)");
  sitting.type(keys.enter);
  await said(sitting, "Go on", "Reply 2");
}, 300_000);

test("/queue returns a queued message to the editor, or removes one", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await world.open({ rows: 40 });
  await said(sitting, "/queue", "The queue is empty");
  world.model.enqueue({ kind: "text", chunks: ["Slow", "ly"], gate: true });
  await sitting.enterUntil("Hello there", "Slow");
  for (const text of ["The second", "The third"]) {
    await sitting.enterUntil(text, new RegExp(String.raw`\d\. ${text}`));
  }

  await sitting.enterUntil("/queue", "> 1. The second");
  await sitting.typeUntil(keys.enter, "> Return it to the editor");
  await sitting.typeUntil(keys.enter, () => written(sitting) === "The second");
  sitting.type(keys.ctrl("u"));
  await sitting.enterUntil("/queue", "> 1. The third");
  await sitting.typeUntil(keys.enter, "Remove it");
  await sitting.typeUntil(`${keys.down}${keys.enter}`, "Removed");
  world.model.releaseAll();
  await sitting.sees(/\$[\d.]+ all/);

  expect(world.model.requests).toHaveLength(1);
}, 300_000);

test("/title names a conversation, /new starts another, /history shows the messages", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await world.open({ rows: 40 });
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
  const sitting = await world.open({ rows: 40 });
  await said(sitting, "/export a.jsonl", "nothing to export");
  await said(sitting, "Hello there", "Reply 1");
  const file = join(world.work, "a.jsonl");

  await said(sitting, "/export", "Name a file, for example");
  await said(sitting, "/export a.jsonl", /Wrote [\d,]+ bytes to/);
  const first = await Bun.file(file).text();
  await said(sitting, "Once more", "Reply 2");
  await sitting.enterUntil("/export a.jsonl", "> Replace it");
  await sitting.typeUntil(keys.escape, "Nothing was written");
  const second = await Bun.file(file).text();
  await said(sitting, "/export nowhere/a.jsonl", /its folder does\s+not/);
  await sitting.sees(() => written(sitting) === "/export nowhere/a.jsonl");
  sitting.type(keys.ctrl("u"));
  await sitting.enterUntil("/export a.jsonl", "> Replace it");
  await sitting.typeUntil(
    keys.enter,
    () => Bun.file(file).size > first.length && sitting.screen().split("Wrote").length > 2,
  );

  expect(second).toBe(first);
  expect(JSON.parse(first.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ type: "end" });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
}, 300_000);
