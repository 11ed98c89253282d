import { createTempFolder } from "@incipit/testkit";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { atTerminal } from "../support/at-terminal.ts";
import { incipit, testedCommand, type CommandResult } from "../support/host-process.ts";

let folder: Awaited<ReturnType<typeof createTempFolder>>;

beforeEach(async () => {
  folder = await createTempFolder();
});
afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

function prompt(
  args: readonly string[],
  options: { readonly editor?: string; readonly input?: string } = {},
): Promise<CommandResult> {
  const { editor, input } = options;
  return incipit(["prompt", ...args], {
    cwd: folder.path,
    home: folder.path,
    env: { USER: "ada", TMPDIR: folder.path, ...(editor === undefined ? {} : { EDITOR: editor }) },
    ...(input === undefined ? {} : { input }),
  });
}

async function editor(script: string): Promise<string> {
  const path = join(folder.path, "the editor.sh");
  await Bun.write(path, `#!/bin/sh\nset -e\n${script}\n`);
  await chmod(path, 0o755);
  return `"${path}"`;
}

function lines(text: string): readonly unknown[] {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("incipit prompt versions, show, diff and restore work on the template's history", async () => {
  await prompt(["set", "Be brief.", "--note", "first"]);
  await prompt(["set", "Be kind."]);

  const listed = await prompt(["versions"]);
  const first = await prompt(["show", "1"]);
  const changed = await prompt(["diff", "2"]);
  const back = await prompt(["diff", "2", "1"]);
  const restored = await prompt(["restore", "1"]);
  const now = await prompt(["show"]);

  const [second, one] = listed.stdout.trimEnd().split("\n");
  expect(second).toMatch(/^\*    2  \d{4}-\d\d-\d\d \d\d:\d\d UTC +8 bytes  ada$/);
  expect(one).toMatch(/^     1  \d{4}-\d\d-\d\d \d\d:\d\d UTC +9 bytes  ada  first$/);
  expect([first.stdout, first.exitCode]).toEqual(["Be brief.\n", 0]);
  expect(changed.stdout).toContain("--- version 1\n+++ version 2\n");
  expect(changed.stdout).toContain("-Be brief.");
  expect(back.stdout).toContain("+Be brief.");
  expect(restored.stderr).toContain("Version 3 is what version 1 was");
  expect(now.stdout).toBe("Be brief.\n");
  expect(now.stderr).toContain("(stored, version 3)");
  const [newest] = lines((await prompt(["versions", "--json"])).stdout);
  expect(newest).toMatchObject({ version: 3, note: "restored from version 1", isCurrent: true });
  for (const args of [["show", "1"], ["diff", "2"], ["restore", "2"], ["show"]])
    expect(lines((await prompt([...args, "--json"])).stdout)).toHaveLength(1);
}, 300_000);

test("incipit prompt lint prints findings with file, line and column, and exits with 1", async () => {
  await Bun.write(join(folder.path, "prompt.md"), "One\n  [sytem:time]\n");

  const ofFile = await prompt(["lint", "prompt.md"]);
  const ofText = await prompt(["lint", "At [12:30]"]);
  const ofInput = await prompt(["lint", "-"], { input: "[endif]" });
  const inForce = await prompt(["lint"]);
  const json = await prompt(["lint", "prompt.md", "--json"]);

  expect(ofFile.exitCode).toBe(1);
  expect(ofFile.stdout).toStartWith("prompt.md:2:3: error: ");
  expect(ofFile.stdout).toContain('[unknown-type]\n    Did you mean "system:time"?\n');
  expect(ofFile.stderr).toContain("1 error\n");
  expect([ofText.exitCode, ofText.stdout.split(": ")[1]]).toEqual([0, "warning"]);
  expect([ofInput.exitCode, ofInput.stdout.slice(0, 9)]).toEqual([1, "stdin:1:1"]);
  expect([inForce.exitCode, inForce.stdout]).toEqual([0, ""]);
  expect(inForce.stderr).toContain("nothing to say");
  expect([json.exitCode, lines(json.stdout)]).toMatchObject([
    1,
    [{ findings: [{ line: 2, column: 3 }], omitted: 0 }],
  ]);
}, 300_000);

test("incipit prompt preview and explain accept text, a file or stdin, and store nothing", async () => {
  await Bun.write(join(folder.path, "prompt.md"), "From a file in [prompt:cwd]");

  const ofText = await prompt(["preview", "Be brief in [prompt:cwd]."]);
  const ofFile = await prompt(["preview", "prompt.md"]);
  const ofInput = await prompt(["preview", "-"], { input: "From [none:such] a pipe" });
  const explained = await prompt(["explain", "Be kind."]);
  const missing = await prompt(["preview", "missing.md"]);
  const two = await prompt(["preview", "Be", "brief"]);
  const none = await prompt(["versions", "x"]);
  const stored = await prompt(["versions"]);

  expect([ofText.exitCode, ofText.stdout]).toEqual([0, expect.stringMatching(/^Be brief in \/\S+\.\n/)]);
  expect([ofFile.exitCode, ofFile.stdout]).toEqual([0, expect.stringContaining("From a file in /")]);
  expect([ofInput.exitCode, ofInput.stdout]).toEqual([0, expect.stringContaining("From  a pipe")]);
  expect([explained.exitCode, explained.stdout]).toEqual([0, expect.stringContaining('"Be kind."')]);
  expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining('There is no file "missing.md"')]);
  expect([two.exitCode, two.stderr]).toEqual([2, expect.stringContaining("put several words in quotes")]);
  expect([none.exitCode, none.stderr]).toEqual([2, expect.not.stringContaining("quotes")]);
  expect(stored.stdout).toBe("");
}, 300_000);

test("incipit rejects a file path as --system and explains how to send the file", async () => {
  const { exitCode, stderr } = await incipit(["--system", "./prompt.md", "Hi?"], {
    cwd: folder.path,
    home: folder.path,
  });

  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--system "$(cat FILE)"')]);
}, 60_000);

test("incipit prompt set stores a template with errors and prints lint findings", async () => {
  const set = await prompt(["set", "Be [endif] brief"]);
  const json = await prompt(["set", "Be [else] brief", "--json"]);

  expect([set.exitCode, set.stdout]).toEqual([0, ""]);
  expect(set.stderr).toContain("Saved the text as version 1");
  expect(set.stderr).toContain("text:1:4: error: ");
  expect(lines(json.stdout)).toMatchObject([{ version: 2, findings: [{ code: "stray-else" }] }]);
}, 300_000);

test("incipit prompt edit stores the edited text without the editor's line end, leaving no file", async () => {
  await prompt(["set", "Be brief."]);
  const edited = await prompt(["edit", "--note", "kinder"], { editor: await editor(`echo "Be kind." > "$1"`) });
  const same = await prompt(["edit"], { editor: await editor(`echo >> "$1"`) });

  expect([edited.exitCode, edited.stderr]).toEqual([
    0,
    "Saved as version 2. Running conversations keep theirs until compaction.\n",
  ]);
  expect([same.exitCode, same.stderr]).toEqual([0, "Nothing was changed\n"]);
  expect((await prompt(["show"])).stdout).toBe("Be kind.\n");
  const [newest] = lines((await prompt(["versions", "--json"])).stdout);
  expect(newest).toMatchObject({ version: 2, note: "kinder", author: "ada" });
  expect([...new Bun.Glob("incipit-prompt-*/*").scanSync(folder.path)]).toEqual([]);
}, 300_000);

test("[never-lost] incipit prompt edit shows both texts on a conflict and keeps the edited one", async () => {
  await prompt(["set", "base"]);
  const meanwhile = `${testedCommand.map((word) => `"${word}"`).join(" ")} prompt set theirs`;
  const { exitCode, stderr } = await prompt(["edit"], {
    editor: await editor(`printf mine > "$1"\n${meanwhile} </dev/null >/dev/null 2>&1`),
  });

  const [, kept = ""] = /incipit prompt set (\S+)\n$/.exec(stderr) ?? [];
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`--- theirs: version 2 by ada\ntheirs\n--- yours\nmine\n`);
  expect(await readFile(kept, "utf8")).toBe("mine");
  expect((await prompt(["show"])).stdout).toBe("theirs\n");
  expect((await prompt(["set", kept])).exitCode).toBe(0);
  expect((await prompt(["show"])).stdout).toBe("mine\n");
}, 300_000);

test("[never-lost] incipit prompt edit keeps without storing a faulty template or failed edit", async () => {
  await prompt(["set", "base"]);
  const withError = await editor(`printf '[endif]' > "$1"`);
  const refused = await prompt(["edit"], { editor: withError });
  const failed = await prompt(["edit"], { editor: await editor(`printf mine > "$1"; exit 3`) });
  const untouched = await prompt(["edit"], { editor: "exit 3;" });
  const missing = await prompt(["edit"], { editor: "no-such-editor" });
  const before = await prompt(["show"]);

  expect([refused.exitCode, failed.exitCode, untouched.exitCode, missing.exitCode]).toEqual([1, 1, 1, 1]);
  expect(refused.stderr).toContain("template.md:1:1: error: ");
  for (const [{ stderr }, text] of [
    [refused, "[endif]"],
    [failed, "mine"],
  ] as const)
    expect(await readFile(/Your text is in (\S+);/.exec(stderr)?.[1] ?? "", "utf8")).toBe(text);
  expect(failed.stderr).toContain("ended with the code 3");
  expect(untouched.stderr).not.toContain("Your text is in");
  expect(missing.stderr).toContain("name one in VISUAL or EDITOR");
  expect(before.stdout).toBe("base\n");

  const forced = await prompt(["edit", "--yes"], { editor: await editor(`printf '[endif]' > "$1"`) });

  expect(forced.exitCode).toBe(0);
  expect((await prompt(["show"])).stdout).toBe("[endif]\n");
}, 300_000);

const failures = [
  [["show", "x"], 2, "number"],
  [["show", "7"], 1, "Version 7 of the template does not exist"],
  [["diff"], 2, "prompt diff VERSION"],
  [["diff", "1", "2", "3"], 2, '"3"'],
  [["restore"], 2, "prompt restore VERSION"],
  [["lint", "none.md"], 2, "none.md"],
  [["versions", "x"], 2, '"x"'],
  [["vresions"], 2, '"versions"'],
  [["show", "--note", "x"], 2, "--note"],
  [["set", "x", "--yes"], 2, "--yes"],
] as const;
for (const [args, code, said] of failures) {
  test(`incipit prompt ${args.join(" ")} exits with ${code} and a reason in one line`, async () => {
    const { exitCode, stdout, stderr } = await prompt(args);

    expect([exitCode, stdout]).toEqual([code, ""]);
    expect(stderr).toContain(said);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
}

test("incipit prompt set requires a template when nothing is piped", async () => {
  const { path } = folder;

  const { exitCode, screen } = await atTerminal({
    command: [...testedCommand, "prompt", "set"],
    cwd: path,
    home: path,
  });

  expect(exitCode).toBe(2);
  expect(screen).toContain("What should the template be?");
});
