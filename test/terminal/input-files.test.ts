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
  const sitting = world.sit();
  await sitting.sees("local/test");

  sitting.enter('Compare @src/main.py, @"my notes.md" and @../above.txt for @alice and @types/node.');
  await sitting.sees("Reply 1");

  const said = 'Compare @src/main.py, @"my notes.md" and @../above.txt for @alice and @types/node.';
  expect(userMessagesSent(world)).toEqual([
    `src/main.py:\n\nprint(1)\n\nmy notes.md:\n\nOtters\n\n../above.txt:\n\nAbove\n\n${said}`,
  ]);
  expect(sitting.everything()).toContain("src/main.py:");
});

test("@FILE: a missing file sends nothing, and the text returns to the editor", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit();
  await sitting.sees("local/test");

  sitting.enter("Read @missing.md");
  const screen = await sitting.sees(/of\s+@missing\.md\s+does/);

  expect(screen.replaceAll(/\s+/g, " ")).toContain(`Nothing was sent: the file "${world.work}/missing.md"`);
  await sitting.sees((text) => /^Read @missing\.md/m.test(text));
  expect(world.model.requests).toHaveLength(0);
  sitting.type(`${keys.ctrl("u")}Read \\@missing.md${keys.enter}`);
  await sitting.sees("Reply 1");
  expect(userMessagesSent(world)).toEqual(["Read @missing.md"]);
});

test("[attack:terminal-pasted-name] @FILE: names in pasted text are ignored as untrusted", async () => {
  await using world = await newTerminalWorld();
  await write(world, { "secret.txt": "The secret" });
  const sitting = world.sit();
  await sitting.sees("local/test");

  sitting.type(`Sum up: ${keys.pasted("Look at @secret.txt")}`);
  await sitting.sees("Look at @secret.txt");
  sitting.type(keys.enter);
  await sitting.sees("Reply 1");
  sitting.type(keys.up);
  await sitting.sees((text) => /^Sum up/m.test(text));
  sitting.type(keys.enter);
  await sitting.sees("Reply 2");

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
  const sitting = world.sit();
  await sitting.sees("local/test");

  sitting.type("Read @pars");
  const offered = await sitting.sees("src/deep/parser.ts");
  sitting.type(keys.enter);
  await sitting.sees("Read @src/deep/parser.ts");
  sitting.type("and @notes");
  await sitting.sees(/^→ my notes\.md/m);
  sitting.type(keys.tab);
  await sitting.sees('and @"my notes.md"');
  sitting.type(keys.enter);
  await sitting.sees("Reply 1");

  expect(offered).not.toContain("dist/parser.ts");
  expect(userMessagesSent(world)).toEqual([
    'src/deep/parser.ts:\n\nexport {}\n\nmy notes.md:\n\nOtters\n\nRead @src/deep/parser.ts and @"my notes.md"',
  ]);
});

test("completion of @: paths complete through folders, parents and home, also outside repositories", async () => {
  await using world = await newTerminalWorld();
  await write(world, { "../other/one.txt": "One", "inner/two.txt": "Two" });
  await mkdir(join(world.home, ".hidden"));
  const sitting = world.sit();
  await sitting.sees("local/test");

  sitting.type("@../oth");
  await sitting.sees(/^→ \.\.\/other\//m);
  sitting.type(keys.tab);
  await sitting.sees("@../other/");
  sitting.type("o");
  await sitting.sees(/^→ \.\.\/other\/one\.txt/m);
  sitting.type(`${keys.tab}@inn`);
  await sitting.sees(/^→ inner\//m);
  sitting.type(keys.escape);
  await sitting.sees((screen) => !screen.includes("→"));
  sitting.type(` @~/oth`);
  const screen = await sitting.sees(/^→ ~\/other\//m);

  expect(screen).not.toContain(".hidden");
});

const fixtureServer = join(import.meta.dir, "../../packages/host-bin/src/mcp-tools/testing/mcp-fixture-server.ts");

test("[attack:terminal-file-name] completion of @: names are sanitized, and names with line breaks are omitted", async () => {
  await using world = await newTerminalWorld();
  const name = "a\u001B]0;tide\u0007\u202Eb.txt";
  await write(world, { [name]: "Otters", "ab\nc.txt": "Gulls" });
  const sitting = world.sit();
  await sitting.sees("local/test");

  sitting.type("Read @ab");
  await sitting.sees("→ a\\u001b]0;tide\\u0007\\u202eb.txt");
  expect(sitting.screen()).not.toContain("c.txt");
  sitting.type(keys.tab);
  await sitting.sees("Read @a\u241B]0;tide\u2407\uFFFDb.txt");
  sitting.type(keys.enter);
  await sitting.sees("Reply 1");

  expect(userMessagesSent(world)).toEqual([`${name}:\n\nOtters\n\nRead @${name}`]);
  expect(sitting.bytes).not.toContain("\u001B]0;");
  expect(sitting.bytes).not.toContain("\u202E");
});

test("completion of @: offers MCP servers, then their resources, which are prepended to the message", async () => {
  const args = JSON.stringify([fixtureServer, "resources"]);
  await using world = await newTerminalWorld({
    config: `[mcp.servers.notes]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${args}\n`,
  });
  const sitting = world.sit();
  await sitting.sees("local/test");

  sitting.type("Sum up @not");
  await sitting.sees(/^→ notes:/m);
  sitting.type(keys.tab);
  await sitting.sees("Sum up @notes:");
  sitting.type("note");
  const offered = await sitting.sees(/^→ notes:note:\/\/1/m);
  sitting.type(keys.tab);
  await sitting.sees("@notes:note://1");
  sitting.type(keys.enter);
  await sitting.sees("Reply 1");

  expect(offered).toContain("The first");
  expect(userMessagesSent(world)[0]).toStartWith("@notes:note://1 (text/plain):");
  expect(userMessagesSent(world)[0]).toEndWith("Sum up @notes:note://1");
});

test("Esc closes the completion before it stops the turn", async () => {
  await using world = await newTerminalWorld();
  await write(world, { "notes.md": "Otters" });
  world.model.enqueue({ kind: "text", chunks: ["One ", "two ", "three"], gate: true });
  const sitting = world.sit();
  await sitting.sees("local/test");
  sitting.enter("Count slowly");
  await world.model.waitForRequests(1);
  await sitting.sees("Waiting for");

  sitting.type("@not");
  await sitting.sees(/^→ notes\.md/m);
  sitting.type(keys.escape);
  await sitting.sees((screen) => !screen.includes("→ notes.md"));
  world.model.releaseAll();
  const screen = await sitting.sees("One two three");

  expect(screen).not.toContain("Stopped");
});
