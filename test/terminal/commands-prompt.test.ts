import { expect, test } from "bun:test";
import { confirm } from "./answer.ts";
import { expectScreen, said } from "./said.ts";
import { keys, type Sitting } from "./sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

/** Paths would differ per machine. */
const config = `system_prompt = "You help.\\nRules: [file:AGENTS.md]"`;

function startWorld(rules = "Be brief.\n"): Promise<TerminalWorld> {
  return newTerminalWorld({ config, files: { "AGENTS.md": rules } });
}

async function begun(world: TerminalWorld, columns: number): Promise<Sitting> {
  const sitting = await world.open({ columns, rows: 50 });
  await said(sitting, "Hello there", "Reply 1");
  await sitting.sees(/\$[\d.]+ all/);
  return sitting;
}

test("/prompt and /explain show the first message's prompt, then the stored one, with its metadata", async () => {
  await using world = await startWorld();
  const sitting = await world.open({ rows: 50 });

  const before = await said(sitting, "/prompt", "SHA-256");
  const whence = await said(sitting, "/explain", "SHA-256");
  await said(sitting, "Hello there", "Reply 1");
  const kept = await said(sitting, "/prompt", "SHA-256");
  const explained = await said(sitting, "/explain", "SHA-256");

  expect(before).toMatch(
    /^Preview of the prompt; the first message stores it\n│ You help\.\n│ Rules: Be brief\.\n27 bytes, about 7 tokens, SHA-256 [0-9a-f]{12}…$/m,
  );
  expect(whence).toContain("Nothing was sent yet: a preview of the first request");
  expect(kept).toMatch(/System prompt, built \d{4}-\d\d-\d\d \d\d:\d\d, for the first\s+message\n│ You help\./);
  expect(explained).not.toContain("Nothing was sent yet");
  for (const text of [whence, explained]) {
    expect(text).toContain("system_prompt of the configuration  the first that is set");
    expect(text).toMatch(/\[file:AGENTS\.md\] {2}10 bytes, not trusted/);
    expect(text).toMatch(/17-27 +\[file:AGENTS\.md\]/);
  }
}, 60_000);

for (const columns of [50, 80])
  test(`/drift shows changes since construction, their cause and a rebuild's cost, at ${columns} columns`, async () => {
    await using world = await startWorld();
    const sitting = await begun(world, columns);

    const same = await said(sitting, "/drift", "No changes: a rebuild");
    await world.write("AGENTS.md", "Be brief.\nBe kind.\n");
    const drift = await said(sitting, "/drift", /\/rebuild[\s\S]*does it/);

    expect(same.replaceAll(/\s+/g, " ")).toContain("a rebuild would produce the same prompt");
    await expectScreen(drift, { name: "drift", columns });
  }, 60_000);

test("/rebuild shows the cost, keeps the prompt after no and replaces it after yes", async () => {
  await using world = await startWorld();
  const sitting = await begun(world, 80);
  await world.write("AGENTS.md", "Be kind.\n");

  const question = await sitting.enterUntil("/rebuild", "Rebuild\n");
  await sitting.typeUntil(keys.escape, "The prompt was not rebuilt");
  await said(sitting, "Once more", "Reply 2");
  sitting.enter("/rebuild");
  await confirm(sitting, "Rebuild");
  const after = await sitting.sees("Rebuilt: the next message uses");
  await said(sitting, "And again", "Reply 3");

  expect(question).toMatch(
    /Rebuild the prompt\? That costs a new read of about \d+ tokens, from byte \d+ of\s+the\s+prompt on, \$0\.\d+/,
  );
  expect(after).not.toContain("Waiting for");
  const told = world.model.requests.map(({ body }) => /Rules: (.*?)\\n/.exec(body)?.[1]);
  expect(told).toEqual(["Be brief.", "Be brief.", "Be kind."]);
}, 60_000);

test("/drift, /rebuild and /compact explain what to do in an empty conversation", async () => {
  await using world = await startWorld();
  const sitting = await world.open();

  for (const line of ["/drift", "/rebuild"])
    await said(sitting, line, "No prompt yet: the first message builds it");
  await said(sitting, "/compact", "nothing to compact");

  expect(world.model.requests).toHaveLength(0);
}, 60_000);

test("[attack:terminal-commands] /prompt, /explain and /drift escape control sequences", async () => {
  const evil = "\u001B]52;c;cm0gLXJm\u0007\u001B[2JDone";
  await using world = await startWorld(`${evil}\n`);
  const sitting = await world.open({ rows: 50 });

  const prompt = await said(sitting, "/prompt", "SHA-256");
  await said(sitting, "/explain", "SHA-256");
  await said(sitting, "Hello there", "Reply 1");
  await world.write("AGENTS.md", `${evil} again\n`);
  const drift = await said(sitting, "/drift", /\/rebuild[\s\S]*does it/);

  for (const text of [prompt, drift]) expect(text).toContain("\\u001b]52;c;cm0gLXJm\\u0007\\u001b[2JDone");
  expect(sitting.bytes).not.toContain("\u001B]52");
  expect(sitting.bytes).not.toContain("\u001B[2J");
}, 60_000);
