import { expect, test } from "bun:test";
import { testedCommand } from "../support/host-process.ts";
import { userMessagesSent } from "./sent-messages.ts";
import { keys, type Sitting } from "./sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

for (const [how, options] of [
  ["a flag", { args: ["--screen-reader"] }],
  ["a variable", { env: { INCIPIT_SCREEN_READER: "1" } }],
  ["a terminal that cannot draw", { env: { TERM: "dumb" } }],
] as const)
  test(`screen reader mode: ${how} enables it, it names itself, and lines are written once`, async () => {
    await using world = await newTerminalWorld();
    world.model.enqueue({ kind: "text", chunks: ["One ", "**two**", " three."] });
    const sitting = world.sit({ columns: 160, ...options });
    await sitting.sees("An empty line or Ctrl-D ends it.");

    await sitting.enterUntil("Count", "three.");
    await sitting.enterUntil("/model", "Number, or Enter to cancel");
    await sitting.enterUntil("2", "offline/echo answers from now on");
    await sitting.enterUntil("/context", "System prompt");
    sitting.enter("/quit");
    const exitCode = await sitting.exited;

    const lines = sitting.everything().split("\n");
    expect(lines[0]).toBe(
      "Screen reader mode: everything is a line that stays, and nothing is drawn. /help lists the commands.",
    );
    expect(lines.filter((line) => line === "Answer:")).toHaveLength(1);
    expect(sitting.bytes.replaceAll("\u001B[?2004h", "").match(/^> /gm)).toHaveLength(4);
    expect(lines.filter((line) => line === "One **two** three.")).toHaveLength(1);
    expect(sitting.everything()).toMatch(/1: local\/test.*, current/);
    expect(sitting.everything()).not.toMatch(/[\u2500-\u257F\u2580-\u259F\u2800-\u28FF]/);
    // No cursor movement or clearing: nothing is redrawn.
    expect(sitting.bytes).not.toMatch(/\u001B\[[0-9;]*[A-HJKSTfm]/); // oxlint-disable-line no-control-regex -- they are looked for
    expect(exitCode).toBe(0);
  });

test("screen reader mode: a new conversation begins with the next message, and Ctrl-D leaves", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.openLines();
  await sitting.enterUntil("First one", "Reply 1");

  await sitting.enterUntil("/new", "starts a new conversation");
  await sitting.enterUntil("Second one", "Reply 2");
  sitting.type(keys.ctrl("d"));
  await sitting.exited;

  const { stdout } = await world.run(["conversations"]);
  expect(stdout).toContain("First one");
  expect(stdout).toContain("Second one");
});

test("[attack:terminal-line-half-written] a question in lines waits for a message being typed", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  world.model.enqueueCall("shell", { command: "touch made" });
  world.model.enqueueText("Not made.", "It is.");
  const sitting = await world.openLines();

  await sitting.typeUntil(`Make it${keys.enter}Is it Frida`, /A question waits[^]*^> Is it Frida$/m);
  await sitting.enterUntil("y", "[y/N/always]");
  await sitting.enterUntil("", "It is.");

  expect(userMessagesSent(world)).toEqual(["Make it", "Is it Friday"]);
  expect(await world.has("made")).toBe(false);
});

async function shell(world: TerminalWorld, command: string): Promise<Sitting> {
  const sitting = world.sit({
    command: ["bash", "--norc", "--noprofile", "-i"],
    env: { PS1: "at the shell> ", INCIPIT: testedCommand.map((word) => `'${word}'`).join(" ") },
    columns: 160,
  });
  await sitting.sees("at the shell>");
  sitting.enter(`eval $INCIPIT ${command}`);
  return sitting;
}

async function leaveAndComeBack(sitting: Sitting): Promise<void> {
  await sitting.typeUntil(keys.ctrl("z"), "Stopped");
  await sitting.enterUntil("clear; echo the shell is $((40 + 2))", "the shell is 42");
  sitting.enter("clear; fg");
}

test("[trial:ctrl-z] screen reader mode: Ctrl-Z suspends to the shell, and fg restores the text", async () => {
  await using world = await newTerminalWorld();
  const sitting = await shell(world, "--screen-reader");
  await sitting.sees(/ends it\.\s+^> *$/m); // Until the prompt, keys go to the shell.

  for (const half of ["Half ", "a mess"]) {
    await sitting.typeUntil(half, half.trim());
    await leaveAndComeBack(sitting);
    await sitting.sees(new RegExp(`^> .*${half.trim()}`, "m"));
  }
  await sitting.enterUntil("age", "Reply 1");

  expect(userMessagesSent(world)).toEqual(["Half a message"]);
});

test("[trial:ctrl-z] an approval: Ctrl-Z suspends to the shell, and fg repeats the question with its text", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  world.model.enqueueCall("shell", { command: "touch made" });
  world.model.enqueueText("Made.");
  const sitting = await shell(world, `"'Make it'"`);
  await sitting.sees("[y/N/always]");

  await sitting.typeUntil("alw", "[y/N/always] alw");
  await leaveAndComeBack(sitting);
  await sitting.sees(/^.*\[y\/N\/always\] alw/m);
  await sitting.enterUntil("ays", "Made.");

  expect(await world.has("made")).toBe(true);
});
