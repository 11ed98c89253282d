import { expect, test } from "bun:test";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

test("the terminal: an answer shows model, context usage, cache share and cost", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({ kind: "text", chunks: ["It is **four**", ".\n\n", "- one\n- two\n"] });
  const sitting = await world.open();

  const screen = await sitting.enterUntil("What is two and two?", "all");
  sitting.type(keys.ctrl("d"));
  const exitCode = await sitting.exited;

  expect(screen.split("\n")).toEqual([
    "· Incipit 0.1.0 · /help shows commands and keys",
    "",
    "> What is two and two?",
    "",
    "It is four.",
    "",
    "- one",
    "- two",
    "",
    "─".repeat(80),
    "",
    "─".repeat(80),
    "local/test · work · 20 tokens, 3 % full · 40 % cached",
    "$0.0002 turn, $0.0002 all",
  ]);
  expect(exitCode).toBe(0);
  expect(sitting.screen()).toContain("Go on with: incipit -s ");
  expect(sitting.screen()).not.toContain("─");
});

test("the terminal: the alternate screen shows answers above the editor and is restored on exit", async () => {
  await using world = await newTerminalWorld({ config: 'terminal = { screen = "alternate" }' });
  const sitting = await world.open();

  const screen = await sitting.enterUntil("Hello", /Reply 1[\s\S]* all/);
  sitting.type(keys.ctrl("d"));
  const exitCode = await sitting.exited;

  expect(screen.indexOf("Reply 1")).toBeLessThan(screen.indexOf("────"));
  expect(sitting.bytes).toContain("\u001B[?1049h");
  expect(sitting.bytes.lastIndexOf("\u001B[?1049l")).toBeGreaterThan(sitting.bytes.lastIndexOf("\u001B[?1049h"));
  expect(exitCode).toBe(0);
});
