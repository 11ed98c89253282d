import { harmlessCommands } from "@incipit/schema";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { choose, confirm, giveAnswer } from "./answer.ts";
import { said } from "./said.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const edit = {
  id: "call-1",
  name: "edit_file",
  arguments: JSON.stringify({ path: "tides.md", oldText: "two", newText: "four" }),
};

test("the terminal: a change is shown as a diff in its approval and its result", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  await Bun.write(join(world.work, "tides.md"), "one\ntwo\nthree\n");
  world.model.enqueue({ kind: "tool-calls", calls: [edit] }, { kind: "text", chunks: ["Changed."] });
  const sitting = world.sit();
  await sitting.sees("local/test");
  sitting.enter("Count right");

  const asked = await sitting.sees("yes, this call");
  await giveAnswer(sitting, "y");
  const done = await sitting.sees("Changed.");

  expect(asked).toContain("edit_file needs approval to run");
  expect(asked).toMatch(/│ -two\n│ \+four/);
  expect(done).toMatch(/● edit_file tides.md\n +1  one\n +2 -two\n +2 \+four\n +3  three\n/);
  expect(await Bun.file(join(world.work, "tides.md")).text()).toBe("one\nfour\nthree\n");
});

test("[trial:type-ahead] the terminal: text typed before a question or pasted stays in the editor", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  await Bun.write(join(world.work, "tides.md"), "one\ntwo\n");
  world.model.enqueue({ kind: "tool-calls", calls: [edit] }, { kind: "text", chunks: ["Not changed."] });
  const sitting = world.sit();
  await sitting.sees("local/test");
  sitting.enter("Count right");
  sitting.type("yes and y");

  await sitting.sees("yes, this call");
  sitting.type(keys.pasted("y"));
  await sitting.sees("yes and yy");
  await choose(sitting, 1);
  const done = await sitting.sees("Not changed.");

  expect(done).toContain("yes and yy");
  expect(await Bun.file(join(world.work, "tides.md")).text()).toBe("one\ntwo\n");
});

test("the terminal: the approval of a new file shows its full contents", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  const input = { path: "new.md", content: "first line\nlast line" };
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "1", name: "write_file", arguments: JSON.stringify(input) }] },
    { kind: "text", chunks: ["Written."] },
  );
  const sitting = world.sit();
  await sitting.sees("local/test");
  sitting.enter("Write it");

  const asked = await sitting.sees("yes, this call");
  await giveAnswer(sitting, "y");
  const done = await sitting.sees("Written.");

  expect(asked).toMatch(/│ content:\n│ +first line\n│ +last line\n│ "new.md" is a new file\n/);
  expect(done).toMatch(/● write_file path=new.md content=first line.*\n +Wrote 20 bytes to "new.md"/);
});

test("the terminal: a digit chooses a scope, whose later calls run with the reason shown", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  for (const command of ["git status", "git status --short", "git log"])
    world.model.enqueue({
      kind: "tool-calls",
      calls: [{ id: command, name: "shell", arguments: JSON.stringify({ command }) }],
    });
  world.model.enqueue({ kind: "text", chunks: ["Seen."] });
  const sitting = world.sit({ columns: 100, rows: 40 });
  await sitting.sees("local/test");
  sitting.enter("What has changed?");

  const asked = await sitting.sees("yes, this call");
  await giveAnswer(sitting, "2");
  const next = await sitting.sees(/git log[\s\S]*yes, this call/);
  await giveAnswer(sitting, "n");
  const done = await sitting.sees("Seen.");

  expect(asked).toContain("y yes, this call  ·  n no");
  expect(asked).toContain("always, in this conversation:");
  expect(asked).toContain("1 this command, exactly as it is");
  expect(asked).toContain('2 commands that begin with "git status" and only read');
  expect(asked).toContain('3 every call of "shell", whatever it is called with');
  expect(asked).toContain(`│ In ${world.work}:\n│ git status\n`);
  expect(next).toMatch(/● shell git status(?: · [\d.]+ s)?\n +fatal: not a git repository/);
  expect(next).toMatch(
    /● shell git status --short \(allowed by shell\(git status:\*\) of "always" in this\s+conversation\)/,
  );
  expect(done).not.toMatch(/shell git (?:status|log) \(allowed/);
});

test("the terminal: a command with an abbreviated preview is also shown verbatim", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  const command = "git status;  git log";
  world.model.enqueue({
    kind: "tool-calls",
    calls: [{ id: "call-1", name: "shell", arguments: JSON.stringify({ command }) }],
  });
  const sitting = world.sit({ columns: 100, rows: 40 });
  await sitting.sees("local/test");
  sitting.enter("What has changed?");

  const asked = await sitting.sees("yes, this call");

  expect(asked).toContain(`│ command: ${command}\n│ In ${world.work}:\n│ git status\n`);
}, 300_000);

test("the terminal: f and a digit allow in the folder, as listed by trust commands", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  await mkdir(join(world.work, ".git"));
  const call = (command: string): void =>
    world.model.enqueue(
      { kind: "tool-calls", calls: [{ id: command, name: "shell", arguments: JSON.stringify({ command }) }] },
      { kind: "text", chunks: [`Ended ${command}.`] },
    );
  const sitting = world.sit({ columns: 160, rows: 40 });
  await sitting.sees("local/test");
  call("ls");
  sitting.enter("Look at it");
  const untrusted = await sitting.sees("yes, this call");
  await giveAnswer(sitting, "n");
  await sitting.sees("Ended ls.");
  sitting.enter("/trust");
  await confirm(sitting, "Cancel", "Trust it");
  await sitting.sees("is trusted with its current content");

  call("git status");
  sitting.enter("What has changed?");
  const asked = await sitting.sees("f in later conversations in this folder, too");
  await giveAnswer(sitting, "f");
  const inFolder = await sitting.sees("f only in this conversation");
  await giveAnswer(sitting, "2");
  await sitting.sees("Ended git status.");
  await said(sitting, "/new", "starts a new conversation");
  call("git status --short");
  sitting.enter("And shorter?");
  const later = await sitting.sees("Ended git status --short.");
  const trust = await said(sitting, "/trust", "to be asked again");
  const { stdout } = await world.run(["trust"]);
  const id = /always allowed {2}(\S+)/.exec(stdout)?.[1] ?? "";
  const taken = await world.run(["trust", "take-back", id]);
  const wrong = await world.run(["trust", "take-back", "none"]);

  expect(untrusted).not.toContain("in later conversations");
  expect(asked).toContain("always, in this conversation:");
  expect(inFolder).toContain(`always, in each conversation in ${world.work}, for as long as you trust it:`);
  expect(later).toMatch(
    /shell git status --short \(allowed by shell\(git status:\*\) of "always" in\s+"\S+work"\)/,
  );
  expect(trust).toMatch(/shell\(git status:\*\)\n +to be asked again:\n +incipit trust take-back \S/);
  expect(trust).toContain(`incipit trust take-back ${id.slice(0, 13)}`);
  expect(taken.stdout).toBe("From now on you are asked again about: shell(git status:*)\n");
  expect(wrong).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Nothing is allowed for good in any"),
  });
}, 300_000);

test("the terminal: --allow grants run without approval, and excessive ones are warned about", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "1", name: "shell", arguments: '{"command":"touch made"}' }] },
    { kind: "text", chunks: ["Made."] },
  );
  const sitting = world.sit({ args: ["--allow", "shell"], columns: 100 });
  const begun = await sitting.sees("local/test");
  sitting.enter("Make it");

  const done = await sitting.sees("Made.");
  const audit = await said(sitting, "/audit", "read from the vendor's cache");
  await said(sitting, "/new", "starts a new conversation");
  await said(sitting, "/resume Make it", "Enter selects");
  sitting.type(keys.enter);
  const again = await sitting.sees(/Made\.\n· Opened "Make it"/);

  expect(audit).toContain("ran without asking: shell, allowed by shell of the turn");
  expect(again).toContain("● shell touch made (allowed by shell of the turn)");
  expect(begun).toContain('--allow "shell" allows every command, unasked');
  expect(done).toContain("● shell touch made (allowed by shell of the turn)");
  expect(await Bun.file(join(world.work, "made")).exists()).toBe(true);
});

test("[attack:terminal-approval-long-scope] a long scope accepts no answer before being fully shown", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  const begins = harmlessCommands.map(({ begin }) => begin).filter((begin) => !begin.startsWith("git "));
  const command = begins.slice(0, 30).join(" && ");
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "1", name: "shell", arguments: JSON.stringify({ command }) }] },
    { kind: "text", chunks: ["Ran."] },
  );
  const sitting = world.sit({ columns: 100, rows: 40 });
  await sitting.sees("local/test");
  sitting.enter("Run it");

  const asked = await sitting.sees("Ctrl-O shows more scopes of always");
  sitting.type("2");
  const typed = await sitting.sees(/\n2\n/);
  sitting.type(keys.backspace);
  await sitting.sees("Key, then Enter");
  sitting.type(keys.ctrl("o"));
  const shown = await sitting.sees("2 commands that begin so, as shown above");
  await giveAnswer(sitting, "2");
  const done = await sitting.sees("Ran.");

  expect(asked).toContain("1 this command, exactly as it is");
  expect(asked).not.toContain("2 commands");
  expect(typed).toContain("Keys go to the editor");
  expect(shown).not.toContain("Ctrl-O shows more");
  expect(sitting.everything()).toContain(`or "${begins[29]}" and only read`);
  expect(done).not.toMatch(/\n2\n/);
});

test("the terminal: a command's output is shown live and folded at its end", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  const go = join(world.work, "go");
  const command = `i=0; while [ $i -lt 20 ]; do i=$((i+1)); echo "line $i"; done; until [ -e go ]; do :; done; echo done`;
  const call = { id: "call-1", name: "shell", arguments: JSON.stringify({ command }) };
  world.model.enqueue({ kind: "tool-calls", calls: [call] }, { kind: "text", chunks: ["It ran."] });
  const sitting = world.sit();
  await sitting.sees("local/test");
  sitting.enter("Run it");
  await sitting.sees("yes, this call");
  await giveAnswer(sitting, "y");

  const running = await sitting.sees("    line 20\n");
  await Bun.write(go, "");
  const done = await sitting.sees("It ran.");
  sitting.type(keys.ctrl("o"));
  await sitting.sees("line 20\ndone\n[exit code 0]");

  expect(running).toMatch(/○ shell/);
  expect(done).toMatch(/ {4}line 2\n {4}… 17 more rows \(Ctrl-O shows all\)\n {4}line 20\n {4}done\n/);
});
