import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { userMessagesSent } from "./sent-messages.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

async function write(world: TerminalWorld, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await Bun.write(join(world.work, name), text);
}

async function repository(world: TerminalWorld): Promise<void> {
  await Bun.$`git init -q`.cwd(world.work).env({ ...process.env, HOME: world.home });
}

test("@FILE: prepends files by name, from the folder, parents, and with spaces", async () => {
  await using world = await newTerminalWorld();
  await write(world, { "src/main.py": "print(1)", "my notes.md": "Otters", "../above.txt": "Above" });
  const sitting = await world.open();

  await sitting.enterUntil(
    'Compare @src/main.py, @"my notes.md" and @../above.txt for @alice and @types/node.',
    "Reply 1",
  );

  const said = 'Compare @src/main.py, @"my notes.md" and @../above.txt for @alice and @types/node.';
  expect(userMessagesSent(world)).toEqual([
    `src/main.py:\n\nprint(1)\n\nmy notes.md:\n\nOtters\n\n../above.txt:\n\nAbove\n\n${said}`,
  ]);
  expect(sitting.everything()).toContain("src/main.py:");
});

test("@FILE: a missing file sends nothing, and the text returns to the editor", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open();

  const screen = await sitting.enterUntil("Read @missing.md", /of\s+@missing\.md\s+does/);

  expect(screen.replaceAll(/\s+/g, " ")).toContain(`Nothing was sent: the file "${world.work}/missing.md"`);
  await sitting.sees((text) => /^Read @missing\.md/m.test(text));
  expect(world.model.requests).toHaveLength(0);
  await sitting.typeUntil(`${keys.ctrl("u")}Read \\@missing.md${keys.enter}`, "Reply 1");
  expect(userMessagesSent(world)).toEqual(["Read @missing.md"]);
});

test("[attack:terminal-pasted-name] @FILE: names in pasted text are ignored as untrusted", async () => {
  await using world = await newTerminalWorld();
  await write(world, { "secret.txt": "The secret" });
  const sitting = await world.open();

  await sitting.typeUntil(`Sum up: ${keys.pasted("Look at @secret.txt")}`, "Look at @secret.txt");
  await sitting.typeUntil(keys.enter, "Reply 1");
  await sitting.typeUntil(keys.up, (text) => /^Sum up/m.test(text));
  await sitting.typeUntil(keys.enter, "Reply 2");

  expect(userMessagesSent(world)).toEqual(["Sum up: Look at @secret.txt", "Sum up: Look at @secret.txt"]);
});

test("completion of @: finds the folder's files by git's rules; Enter sends complete names", async () => {
  await using world = await newTerminalWorld();
  await repository(world);
  await write(world, {
    ".gitignore": "dist/\n",
    "dist/parser.ts": "",
    "src/deep/parser.ts": "export {}",
    "my notes.md": "Otters",
  });
  const sitting = await world.open();

  const offered = await sitting.typeUntil("Read @pars", "src/deep/parser.ts");
  await sitting.typeUntil(keys.enter, "Read @src/deep/parser.ts");
  await sitting.typeUntil("and @notes", /^→ my notes\.md/m);
  await sitting.typeUntil(keys.tab, 'and @"my notes.md"');
  await sitting.typeUntil(keys.enter, "Reply 1");

  expect(offered).not.toContain("dist/parser.ts");
  expect(userMessagesSent(world)).toEqual([
    'src/deep/parser.ts:\n\nexport {}\n\nmy notes.md:\n\nOtters\n\nRead @src/deep/parser.ts and @"my notes.md"',
  ]);
});

test("completion of @: paths complete through folders, parents and home, also outside repositories", async () => {
  await using world = await newTerminalWorld();
  await write(world, { "../other/one.txt": "One", "inner/two.txt": "Two" });
  await mkdir(join(world.home, ".hidden"));
  const sitting = await world.open();

  await sitting.typeUntil("@../oth", /^→ \.\.\/other\//m);
  await sitting.typeUntil(keys.tab, "@../other/");
  await sitting.typeUntil("o", /^→ \.\.\/other\/one\.txt/m);
  await sitting.typeUntil(`${keys.tab}@inn`, /^→ inner\//m);
  await sitting.typeUntil(keys.escape, (screen) => !screen.includes("→"));
  const screen = await sitting.typeUntil(` @~/oth`, /^→ ~\/other\//m);

  expect(screen).not.toContain(".hidden");
});

const fixtureServer = join(import.meta.dir, "../../packages/host-bin/src/mcp-tools/testing/mcp-fixture-server.ts");

test("[attack:terminal-file-name] completion of @: names are sanitized, and names with line breaks are omitted", async () => {
  await using world = await newTerminalWorld();
  const name = "a\u001B]0;tide\u0007\u202Eb.txt";
  await write(world, { [name]: "Otters", "ab\nc.txt": "Gulls" });
  const sitting = await world.open();

  await sitting.typeUntil("Read @ab", "→ a\\u001b]0;tide\\u0007\\u202eb.txt");
  expect(sitting.screen()).not.toContain("c.txt");
  await sitting.typeUntil(keys.tab, "Read @a\u241B]0;tide\u2407\uFFFDb.txt");
  await sitting.typeUntil(keys.enter, "Reply 1");

  expect(userMessagesSent(world)).toEqual([`${name}:\n\nOtters\n\nRead @${name}`]);
  expect(sitting.bytes).not.toContain("\u001B]0;");
  expect(sitting.bytes).not.toContain("\u202E");
});

test("completion of @: offers MCP servers, then their resources, which are prepended to the message", async () => {
  const args = JSON.stringify([fixtureServer, "resources"]);
  await using world = await newTerminalWorld({
    config: `[mcp.servers.notes]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${args}\n`,
  });
  const sitting = await world.open();

  await sitting.typeUntil("Sum up @not", /^→ notes:/m);
  await sitting.typeUntil(keys.tab, "Sum up @notes:");
  const offered = await sitting.typeUntil("note", /^→ notes:note:\/\/1/m);
  await sitting.typeUntil(keys.tab, "@notes:note://1");
  await sitting.typeUntil(keys.enter, "Reply 1");

  expect(offered).toContain("The first");
  expect(userMessagesSent(world)[0]).toStartWith("@notes:note://1 (text/plain):");
  expect(userMessagesSent(world)[0]).toEndWith("Sum up @notes:note://1");
});

test("Esc closes the completion before it stops the turn", async () => {
  await using world = await newTerminalWorld();
  await write(world, { "notes.md": "Otters" });
  world.model.enqueue({ kind: "text", chunks: ["One ", "two ", "three"], gate: true });
  const sitting = await world.open();
  sitting.enter("Count slowly");
  await world.model.waitForRequests(1);
  await sitting.sees("Waiting for");

  await sitting.typeUntil("@not", /^→ notes\.md/m);
  await sitting.typeUntil(keys.escape, (screen) => !screen.includes("→ notes.md"));
  world.model.releaseAll();
  const screen = await sitting.sees("One two three");

  expect(screen).not.toContain("Stopped");
});
