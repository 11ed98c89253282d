import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { confirm } from "./answer.ts";
import { expectScreen, said } from "./said.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const fixture = join(import.meta.dir, "../../packages/host-bin/src/mcp-tools/testing/mcp-fixture-server.ts");
const config = `
system_prompt = "You help."
[tools]
workspace = true
[profiles.reviewer]
description = "Reads a change, and says what is wrong"
system_prompt = "You review."
tools = { allowed = ["read_file", "shell", "files__*"], asked = ["read_file"] }
[mcp.servers.files]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(fixture)}]
[mcp.servers.gone]
command = "/nowhere/at-all"
[providers.local.models.other]
context_window = 2_000
prices = { input = 1, output = 2, cache_read = 0.1 }`;
const asking = 'system_prompt = "[file:AGENTS.md]"\nprompt.untrusted = "ask"';
const facts = "context_window = 100_000, prices = { input = 10, output = 20 }";

test("/mcp lists servers with states, starts one by name, and explains failures", async () => {
  await using world = await newTerminalWorld({ config, facts });
  const sitting = await world.open({ rows: 60 });

  const idle = await said(sitting, "/mcp", "/nowhere/at-all");
  const started = await said(sitting, "/mcp files", "Does write");
  await said(sitting, "/mcp gone", 'the program "/nowhere/at-all" was not found');
  const after = await said(sitting, "/mcp", 'the program "/nowhere/at-all" was not found');
  await said(sitting, "/mcp nobody", '"nobody"');

  expect(idle).toContain("○ files  idle");
  expect(started).toContain("● files  running  2 tools");
  expect(started).toMatch(
    /files__echo +runs without approval +Does echo\n +files__write +needs approval +Does write/,
  );
  expect(after).toContain("● files  running  2 tools");
  expect(after).toContain("● gone  failed");
}, 60_000);

for (const columns of [50, 80])
  test(`/tools lists tools with sources and approvals, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config, facts });
    const sitting = world.sit({ columns, rows: 60, args: ["--profile", "reviewer"] });
    await sitting.sees("reviewer");
    await said(sitting, "/tools", "The first message fixes the tools");
    await said(sitting, "Hello there", "Reply 1");

    const tools = await said(sitting, "/tools", /! The MCP server "gone"/);

    await expectScreen(tools, { name: "tools", columns });
  }, 60_000);

test("/tools lists deferred tools and the reason", async () => {
  const deferred = config.replace("[mcp.servers.gone]", "defer = true\n[mcp.servers.gone]");
  await using world = await newTerminalWorld({ config: deferred, facts });
  const sitting = await world.open({ columns: 160, rows: 60 });
  await said(sitting, "Hello there", "Reply 1");

  const tools = await said(sitting, "/tools", /! The MCP server "gone"/);

  expect(tools).toMatch(/search_tools +by the tool +host/);
  expect(tools).toContain('Deferred tools: 2 of files, as "defer" is set\n    files__echo, files__write');
  expect(tools).not.toContain("Does echo");
}, 60_000);

test("/profile marks the current agent, shows details, and selects one for the next message", async () => {
  await using world = await newTerminalWorld({ config, facts });
  const sitting = await world.open({ rows: 60 });

  const list = await sitting.enterUntil("/profile", "no agent (current)");
  await sitting.typeUntil(keys.down, "│ System prompt: its own");
  await sitting.typeUntil(keys.enter, "Agent: reviewer");
  await said(sitting, "Hello there", "Reply 1");
  await sitting.enterUntil("/profile", "> reviewer (current)");
  await sitting.typeUntil(keys.up, "> no agent");
  await sitting.typeUntil(keys.enter, "/rebuild applies its prompt and tools");
  await said(sitting, "/profile nobody", '"nobody"');

  expect(list).toContain("Reads a change");
  expect(world.model.requests[0]?.body).toContain("You review.");
}, 60_000);

test("/model lists models with window and price, marks the current one, and switches", async () => {
  await using world = await newTerminalWorld({ config, facts });
  const sitting = await world.open({ rows: 60 });

  const list = await sitting.enterUntil("/model", "local/test (current)");
  await sitting.typeUntil("other", "1 of 1");
  await sitting.typeUntil(keys.enter, "local/other answers from now on");

  expect(list).toContain("2k window, $1 in, $2 out");
}, 60_000);

test("[attack:terminal-typed-into-own-question] /trust and /export: text typed before the question chooses nothing", async () => {
  const files = { "AGENTS.md": "Be kind.\n", "a.jsonl": "mine" };
  await using world = await newTerminalWorld({ config: asking, files });
  const sitting = await world.open({ rows: 60 });
  await said(sitting, "Hello there", "UNTRUSTED_TEXT");
  sitting.type(keys.ctrl("u"));

  await sitting.enterUntil("/trust", "Trust it");
  for (const key of ["i", "t", keys.enter]) sitting.type(key);
  await sitting.sees("> Cancel");
  await sitting.typeUntil(keys.escape, "Nothing was changed");
  await sitting.sees(() => /^it$/m.test(sitting.screen()));
  sitting.type(keys.ctrl("u"));
  await sitting.enterUntil("/export a.jsonl", "Replace it");
  await sitting.typeUntil(keys.enter, "> Replace it");
  const kept = await world.read("a.jsonl");

  expect(kept).toBe("mine");
  expect(sitting.screen()).not.toContain("is trusted with");
}, 60_000);

test("/trust shows the folder's requests, and requires an explicit yes", async () => {
  await using world = await newTerminalWorld({ config: asking, files: { "AGENTS.md": "Be \u001B[2Jkind.\n" } });
  const sitting = await world.open({ rows: 60 });
  await said(sitting, "Hello there", "UNTRUSTED_TEXT");
  sitting.type(keys.ctrl("u"));

  const question = await sitting.enterUntil("/trust", "> Cancel");
  await sitting.typeUntil(keys.enter, "Nothing was changed");
  await said(sitting, "Hello again", "UNTRUSTED_TEXT");
  sitting.type(keys.ctrl("u"));
  sitting.enter("/trust");
  await confirm(sitting, "Cancel", "Trust it");
  await sitting.sees("is trusted with its current content");
  await said(sitting, "Hello once more", "Reply 1");
  const after = await said(sitting, "/trust", /AGENTS\.md {2}trusted/);

  expect(question).toContain("Once you trust it, it");
  expect(question).toMatch(/│ - may tell models what AGENTS\.md says/);
  expect(question).toMatch(/\[file:AGENTS\.md\][\s\S]*not trusted/);
  expect(after).not.toContain("Leave it");
  expect(world.model.requests).toHaveLength(1);
}, 60_000);

test("/cwd changes the tools' folder before and after the first message, and rejects invalid ones", async () => {
  await using world = await newTerminalWorld({ config: 'system_prompt = "At [prompt:cwd]."' });
  const elsewhere = join(world.home, "elsewhere");
  await mkdir(elsewhere);
  const sitting = await world.open({ rows: 60 });

  await said(sitting, "/cwd", "Working folder:");
  await said(sitting, "/cwd nowhere", "does not exist");
  await said(sitting, "/cwd ../elsewhere", "Working folder:");
  await said(sitting, "Hello there", "Reply 1");
  await said(sitting, "/cwd ~/work", "/rebuild updates the prompt");
  await said(sitting, "/cwd nowhere", /CWD_INVALID/);

  expect(world.model.requests[0]?.body).toContain(`At ${elsewhere}.`);
}, 60_000);

test("/help and /commands list built-in and user commands", async () => {
  const command = "---\ndescription: Writes release notes\n---\nWrite notes";
  await using world = await newTerminalWorld({ files: { "../.config/incipit/commands/release.md": command } });
  const sitting = await world.open({ rows: 60 });

  const help = await said(sitting, "/help", "fg brings it back");
  const own = await said(sitting, "/commands", "release.md");
  await said(sitting, "/release", "Reply 1");

  expect(help).toMatch(/\/context +shows the usage of the model's context window/);
  expect(help).toMatch(/Your commands\n +\/release +Writes release notes/);
  expect(own).toMatch(/\/release +Writes release notes\s+\(/);
  expect(world.model.requests[0]?.body).toContain("Write notes");
}, 60_000);

test("an unknown slash command stays in the editor with a suggestion; a space sends it, as does a path", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await world.open({ rows: 60 });

  const meant = await said(sitting, "/modle", /start\s+it\s+with\s+a\s+space\./);
  await sitting.sees(/─\n\/modle\n─/);
  sitting.type(keys.ctrl("u"));
  await said(sitting, " /modle is what I typed", "Reply 1");
  await said(sitting, "/usr/bin/env is what?", "Reply 2");

  expect(meant.replaceAll(/\s+/g, " ")).toContain(
    "Unknown command /modle; did you mean /model? To send it as a message, start it with a space.",
  );
  expect(world.bodies).toEqual([
    expect.stringContaining('" /modle is what I typed"'),
    expect.stringContaining("/usr/bin/env is what?"),
  ]);
}, 60_000);
