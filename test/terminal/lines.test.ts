import { expect, test } from "bun:test";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

for (const [how, options] of [
  ["a flag", { args: ["--screen-reader"] }],
  ["a variable", { env: { INCIPIT_SCREEN_READER: "1" } }],
  ["a terminal that cannot draw", { env: { TERM: "dumb" } }],
] as const)
  test(`the terminal for screen readers: ${how} asks for it, its first line names it, and each line is written once`, async () => {
    await using world = await newTerminalWorld();
    world.model.enqueue({ kind: "text", chunks: ["One ", "**two**", " three."] });
    const sitting = world.sit({ columns: 160, ...options });
    await sitting.sees("An empty line or Ctrl-D ends it.");

    sitting.enter("Count");
    await sitting.sees("three.");
    sitting.enter("/model");
    await sitting.sees("Its number, or nothing");
    sitting.enter("2");
    await sitting.sees("offline/echo answers from here on");
    sitting.enter("/context");
    await sitting.sees("System prompt");
    sitting.enter("/quit");
    const exitCode = await sitting.exited;

    const lines = sitting.everything().split("\n");
    expect(lines[0]).toBe(
      "Screen reader mode: everything is a line that stays, and nothing is drawn. /help lists the commands.",
    );
    expect(lines.filter((line) => line === "Answer:")).toHaveLength(1);
    expect(lines.filter((line) => line === "One **two** three.")).toHaveLength(1);
    expect(sitting.everything()).toMatch(/1: local\/test.*, in force now/);
    expect(sitting.everything()).not.toMatch(/[\u2500-\u257F\u2580-\u259F\u2800-\u28FF]/);
    expect(sitting.bytes).not.toMatch(/\u001B\[(?:[0-9;]*m|[0-9]*A)/); // oxlint-disable-line no-control-regex -- they are looked for
    expect(exitCode).toBe(0);
  });

test("the terminal for screen readers: a new conversation begins with the next message, and Ctrl-D leaves", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit({ args: ["--screen-reader"], columns: 160 });
  await sitting.sees("An empty line or Ctrl-D ends it.");
  sitting.enter("First one");
  await sitting.sees("Reply 1");

  sitting.enter("/new");
  await sitting.sees("begins a new conversation");
  sitting.enter("Second one");
  await sitting.sees("Reply 2");
  sitting.type(keys.ctrl("d"));
  await sitting.exited;

  const { stdout } = await world.run(["conversations"]);
  expect(stdout).toContain("First one");
  expect(stdout).toContain("Second one");
});
