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
  const sitting = world.sit();
  await sitting.sees("local/test");

  sitting.type("/mod");
  const offered = await sitting.sees("switches the model");
  sitting.type(keys.tab);
  await sitting.sees(/^\/model$/m);

  expect(offered).toContain("→ /model ");
  expect(world.model.requests).toHaveLength(0);
});

test("while something runs: the pending work and its seconds are shown", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({ kind: "never" });
  const sitting = world.sit();
  await sitting.sees("local/test");
  sitting.enter("Hello");

  const waiting = await sitting.sees(/Waiting for .* [1-9] s/);

  expect(waiting).toMatch(/Waiting for local\/test [1-9] s · Esc stops/);
});

test("an answer: Markdown is rendered and code highlighted", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({
    kind: "text",
    chunks: ["# Tides\n\nThe **tide** is at nine.\n\n```ts\nconst high: number = 1;\n```\n"],
  });
  const sitting = world.sit({ env: { COLORTERM: "truecolor" } });
  await sitting.sees("local/test");
  sitting.enter("Hello");
  const screen = await sitting.sees(answered);

  expect(screen).toContain("The tide is at nine.");
  expect(sitting.bytes).toMatch(new RegExp(`${escape}\\[[\\d;]*m *const${escape}\\[`));
});

test("colours: depend on the background, and are off with NO_COLOR", async () => {
  await using world = await newTerminalWorld();
  world.model.answer = () => ({ kind: "text", chunks: ["# Tides\n\n```ts\nconst high = 1;\n```\n"] });
  const seenOn = async (background: "dark" | "light"): Promise<readonly string[]> => {
    const sitting = world.sit({ background, env: { COLORTERM: "truecolor" } });
    await sitting.sees("local/test");
    sitting.enter("Hello");
    await sitting.sees(answered);
    return coloursOf(sitting);
  };

  const dark = await seenOn("dark");
  const light = await seenOn("light");
  const plain = world.sit({ env: { NO_COLOR: "1" } });
  await plain.sees("local/test");
  plain.enter("Hello");
  await plain.sees(answered);

  expect(dark).not.toBeEmpty();
  expect(light).not.toEqual(dark);
  expect(coloursOf(plain)).toEqual([]);
});
