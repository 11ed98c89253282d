import { expect, test } from "bun:test";
import { join } from "node:path";
import { said } from "./said.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

test("a !! line runs in the conversation's folder and is hidden from models", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open({ env: { SHELL: "/bin/sh" } });

  await sitting.enterUntil("!!pwd; touch made; exit 3", "It ended with the code 3. The model does not see it");
  const asked = world.model.requests.length;
  await said(sitting, "Hello there", "Reply 1");

  expect(sitting.everything()).toContain(`· $ pwd; touch made; exit 3\n${world.work}\n`);
  expect(await world.has("made")).toBe(true);
  expect(asked).toBe(0);
  expect(world.model.requests[0]?.body).not.toContain("made");
}, 60_000);

test("[attack:terminal-command-output] a ! line offers its output with the next message, and sends nothing itself", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open({ env: { SHELL: "/bin/sh", DEPLOY_TOKEN: "hJ4kQ9zLmN2pR7tVwX8y" } });

  await sitting.enterUntil(
    String.raw`!printf '\033[31mOtters\033[0m %s\n' $DEPLOY_TOKEN`,
    "is attached to your next message",
  );
  const asked = world.model.requests.length;
  const offered = await sitting.sees("[output 1: printf");
  await sitting.enterUntil("What is this?", "Reply 1");
  await sitting.enterUntil("!echo Seals", "[output 2: echo Seals, ");
  await sitting.typeUntil(`${keys.backspace}${keys.backspace}`, (screen) => !screen.includes("[output 2"));
  await said(sitting, "And now?", "Reply 2");

  const [first = "", second = ""] = world.bodies;
  expect(asked).toBe(0);
  expect(offered).toMatch(/^\[output 1: printf .*, \d+ bytes\]$/m);
  expect(first).toMatch(/```\\n\$ printf [^]*\\nOtters \[redacted:[a-z-]+\]\\n```/);
  expect(first).not.toContain("hJ4kQ9zLmN2pR7tVwX8y");
  expect(second).not.toContain("Seals");
}, 60_000);

test("text after a command's output starts a new row in any case", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open({ env: { SHELL: "/bin/sh" } });

  for (const output of ["cut off", String.raw`whole\n`, "x".repeat(80)])
    await said(sitting, `!!printf '${output}'; exit 3`, "It ended with the code 3. The model does not see it");

  const rows = sitting.everything().split("\n");
  const before = rows.flatMap((row, at) => (row.startsWith("· It ended with the code 3") ? [rows[at - 1]] : []));
  expect(before).toEqual(["cut off", "whole", "x".repeat(80)]);
}, 60_000);

test("a ! command has the terminal: it reads keys, and Ctrl-C ends only it", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open({ env: { SHELL: "/bin/sh" } });

  await sitting.enterUntil(
    '!echo Ready; read -r line; echo "It read $line"; echo Waiting; exec sleep 600',
    /^Ready$/m,
  );
  await sitting.enterUntil("this", "It read this");
  await sitting.sees(/^Waiting$/m);
  await sitting.typeUntil(keys.ctrl("c"), "It ended with the code 130");
  await said(sitting, "Hello there", "Reply 1");
}, 60_000);

test("[attack:terminal-pasted-command] pasted text and text after a space never run as shell commands", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open({ env: { SHELL: "/bin/sh" } });

  await sitting.typeUntil(keys.pasted("!touch pasted"), "!touch pasted");
  await sitting.typeUntil(keys.enter, "Reply 1");
  await said(sitting, " !touch spaced", "Reply 2");
  await sitting.enterUntil("!touch typed", "The model does not see it");

  const made = await Promise.all(
    ["pasted", "spaced", "typed"].map((name) => Bun.file(join(world.work, name)).exists()),
  );
  expect(made).toEqual([false, false, true]);
  expect(world.model.requests[0]?.body).toContain("!touch pasted");
  expect(world.model.requests[1]?.body).toContain("!touch spaced");
}, 60_000);

test("on the alternate screen a command's output stays until Enter", async () => {
  await using world = await newTerminalWorld({ config: 'terminal.screen = "alternate"' });
  const sitting = await world.open({ env: { SHELL: "/bin/sh" } });

  const shown = await sitting.enterUntil("!!echo Printed", "[Enter goes back]");
  await sitting.typeUntil(keys.enter, "The model does not see it");

  expect(shown).toMatch(/^Printed$/m);
}, 60_000);

test("in line mode a ! line is neither run nor sent", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.openLines();

  await sitting.enterUntil(
    "!touch made",
    "Shell commands (!) do not run in this mode. Nothing ran and nothing was sent",
  );

  expect(await world.has("made")).toBe(false);
  expect(world.model.requests).toHaveLength(0);
}, 60_000);
