import { expect, test } from "bun:test";
import { newTerminalWorld } from "./terminal-world.ts";

test("the terminal: a changed prompt file is reported, and a rebuild names the break's byte", async () => {
  await using world = await newTerminalWorld({ config: `system_prompt = "Be brief.\\n[file:AGENTS.md]"` });
  await world.write("AGENTS.md", "Answer in English.\n");
  const sitting = await world.open();
  await sitting.enterUntil("Hello", "all");
  await world.write("AGENTS.md", "Answer in French.\n");

  const drifted = await sitting.enterUntil("Hello again", "changed since");

  expect(drifted).toContain("AGENTS.md changed since the prompt was built · /drift · /rebuild");
});

test("the terminal: switching the model is marked red as a cache miss", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open();
  await sitting.enterUntil("Hello", "all");

  await sitting.enterUntil("/model local/other", "Its first call has no cached prefix");
  const broken = await sitting.enterUntil("Hello again", "The cache broke");

  expect(broken).toContain("● The cache broke: another model");
  expect(broken).toContain("local/other · work");
  expect(sitting.bytes).toContain("\u001B[38;5;203m● The cache broke");
});
