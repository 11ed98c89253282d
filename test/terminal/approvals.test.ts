import { harmlessCommands } from "@incipit/schema";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { choose, confirm, giveAnswer } from "./answer.ts";
import { said } from "./said.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

test("the terminal: a change is shown as a diff in its approval and its result", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  await world.write("tides.md", "one\ntwo\nthree\n");
  world.model.enqueueCall("edit_file", { path: "tides.md", oldText: "two", newText: "four" });
  world.model.enqueueText("Changed.");
  const sitting = await world.open();
  const asked = await sitting.enterUntil("Count right", "yes, this call");
  await giveAnswer(sitting, "y");
  const done = await sitting.sees("Changed.");

  expect(asked).toContain("edit_file needs approval to run");
  expect(asked).toMatch(/│ -two\n│ \+four/);
  expect(done).toMatch(/● edit_file tides.md\n +1  one\n +2 -two\n +2 \+four\n +3  three\n/);
  expect(await world.read("tides.md")).toBe("one\nfour\nthree\n");

  world.model.enqueueCall("write_file", { path: "new.md", content: "first line\nlast line" });
  world.model.enqueueText("Written.");
  const askedNew = await sitting.enterUntil("Write it", /"new.md" is a new file[\s\S]*yes, this call/);
  await giveAnswer(sitting, "y");

  expect(askedNew).toMatch(/│ content:\n│ +first line\n│ +last line\n│ "new.md" is a new file\n/);
  expect(await sitting.sees("Written.")).toMatch(
    /● write_file path=new.md content=first line.*\n +Wrote 20 bytes to "new.md"/,
  );
});

test("[trial:type-ahead] the terminal: text typed before a question or pasted stays in the editor", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  await world.write("tides.md", "one\ntwo\n");
  world.model.enqueueCall("edit_file", { path: "tides.md", oldText: "two", newText: "four" });
  world.model.enqueueText("Not changed.");
  const sitting = await world.open();
  sitting.enter("Count right");
  await sitting.typeUntil("yes and y", "yes, this call");
  await sitting.typeUntil(keys.pasted("y"), "yes and yy");
  await choose(sitting, 1);
  const done = await sitting.sees("Not changed.");

  expect(done).toContain("yes and yy");
  expect(await world.read("tides.md")).toBe("one\ntwo\n");
});

test("the terminal: a digit chooses a scope, whose later calls run with the reason shown", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  for (const command of ["git status", "git status --short", "git log"])
    world.model.enqueueCall("shell", { command });
  world.model.enqueueText("Seen.");
  const sitting = await world.open({ columns: 100, rows: 40 });
  const asked = await sitting.enterUntil("What has changed?", "yes, this call");
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
  world.model.enqueueCall("shell", { command });
  const sitting = await world.open({ columns: 100, rows: 40 });
  const asked = await sitting.enterUntil("What has changed?", "yes, this call");

  expect(asked).toContain(`│ command: ${command}\n│ In ${world.work}:\n│ git status\n`);
}, 300_000);

test("the terminal: f and a digit allow in the folder, as listed by trust commands", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  await mkdir(world.path(".git"));
  const call = (command: string): void => {
    world.model.enqueueCall("shell", { command });
    world.model.enqueueText(`Ended ${command}.`);
  };
  const sitting = await world.open({ columns: 160, rows: 40 });
  call("ls");
  const untrusted = await sitting.enterUntil("Look at it", "yes, this call");
  await giveAnswer(sitting, "n");
  await sitting.sees("Ended ls.");
  sitting.enter("/trust");
  await confirm(sitting, "Cancel", "Trust it");
  await sitting.sees("is trusted with its current content");

  call("git status");
  const asked = await sitting.enterUntil("What has changed?", "f in later conversations in this folder, too");
  await giveAnswer(sitting, "f");
  const inFolder = await sitting.sees("f only in this conversation");
  await giveAnswer(sitting, "2");
  await sitting.sees("Ended git status.");
  await said(sitting, "/new", "starts a new conversation");
  call("git status --short");
  const later = await sitting.enterUntil("And shorter?", "Ended git status --short.");
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
  world.model.enqueueCall("shell", { command: "touch made" });
  world.model.enqueueText("Made.");
  const sitting = world.sit({ args: ["--allow", "shell"], columns: 100 });
  const begun = await sitting.sees("local/test");
  const done = await sitting.enterUntil("Make it", "Made.");
  const audit = await said(sitting, "/audit", "read from the vendor's cache");
  await said(sitting, "/new", "starts a new conversation");
  await said(sitting, "/resume Make it", "Enter selects");
  const again = await sitting.typeUntil(keys.enter, /Made\.\n· Opened "Make it"/);

  expect(audit).toContain("ran without asking: shell, allowed by shell of the turn");
  expect(again).toContain("● shell touch made (allowed by shell of the turn)");
  expect(begun).toContain('--allow "shell" allows every command, unasked');
  expect(done).toContain("● shell touch made (allowed by shell of the turn)");
  expect(await world.has("made")).toBe(true);
});

test("[attack:terminal-approval-long-scope] a long scope accepts no answer before being fully shown", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  const begins = harmlessCommands.map(({ begin }) => begin).filter((begin) => !begin.startsWith("git "));
  const command = begins.slice(0, 30).join(" && ");
  world.model.enqueueCall("shell", { command });
  world.model.enqueueText("Ran.");
  const sitting = await world.open({ columns: 100, rows: 40 });
  const asked = await sitting.enterUntil("Run it", "Ctrl-O shows more scopes of always");
  const typed = await sitting.typeUntil("2", /\n2\n/);
  await sitting.typeUntil(keys.backspace, "Key, then Enter");
  const shown = await sitting.typeUntil(keys.ctrl("o"), "2 commands that begin so, as shown above");
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
  const command = `i=0; while [ $i -lt 20 ]; do i=$((i+1)); echo "line $i"; done; until [ -e go ]; do :; done; echo done`;
  world.model.enqueueCall("shell", { command });
  world.model.enqueueText("It ran.");
  const sitting = await world.open();
  await sitting.enterUntil("Run it", "yes, this call");
  await giveAnswer(sitting, "y");

  const running = await sitting.sees("    line 20\n");
  await world.write("go", "");
  const done = await sitting.sees("It ran.");
  await sitting.typeUntil(keys.ctrl("o"), "line 20\ndone\n[exit code 0]");

  expect(running).toMatch(/○ shell/);
  expect(done).toMatch(/ {4}line 2\n {4}… 17 more rows \(Ctrl-O shows all\)\n {4}line 20\n {4}done\n/);
});
