import { expect, test } from "bun:test";
import { keys, type Sitting } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const escape = String.fromCodePoint(27);
const colour = new RegExp(`${escape}\\[(?:[\\d;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\\d;]*)?m`, "g");
const answered = /const high[\s\S]*tokens/;

function coloursOf(sitting: Sitting): readonly string[] {
  return [...new Set(sitting.bytes.match(colour))];
}

test("a command: is completed from its first letters with a description", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open();

  const offered = await sitting.typeUntil("/mod", "switches the model");
  await sitting.typeUntil(keys.tab, /^\/model$/m);

  expect(offered).toContain("→ /model ");
  expect(world.model.requests).toHaveLength(0);
});

test("while something runs: the pending work and its seconds are shown", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({ kind: "never" });
  const sitting = await world.open();
  const waiting = await sitting.enterUntil("Hello", /Waiting for .* [1-9] s/);

  expect(waiting).toMatch(/Waiting for local\/test [1-9] s · Esc stops/);
});

test("an answer: Markdown is rendered and code highlighted", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueueText("# Tides\n\nThe **tide** is at nine.\n\n```ts\nconst high: number = 1;\n```\n");
  const sitting = await world.open({ env: { COLORTERM: "truecolor" } });
  const screen = await sitting.enterUntil("Hello", answered);

  expect(screen).toContain("The tide is at nine.");
  expect(sitting.bytes).toMatch(new RegExp(`${escape}\\[[\\d;]*m *const${escape}\\[`));
});

test("colours: depend on the background, and are off with NO_COLOR", async () => {
  await using world = await newTerminalWorld();
  world.model.answer = () => ({ kind: "text", chunks: ["# Tides\n\n```ts\nconst high = 1;\n```\n"] });
  const seenOn = async (background: "dark" | "light"): Promise<readonly string[]> => {
    const sitting = await world.open({ background, env: { COLORTERM: "truecolor" } });
    await sitting.enterUntil("Hello", answered);
    return coloursOf(sitting);
  };

  const dark = await seenOn("dark");
  const light = await seenOn("light");
  const plain = await world.open({ env: { NO_COLOR: "1" } });
  await plain.enterUntil("Hello", answered);

  expect(dark).not.toBeEmpty();
  expect(light).not.toEqual(dark);
  expect(coloursOf(plain)).toEqual([]);
});
