import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { chmod, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { atTerminal } from "../support/at-terminal.ts";
import { incipit, testedCommand, type CommandResult } from "../support/host-process.ts";

interface World extends AsyncDisposable {
  readonly home: string;
  readonly cwd: string;
  run(...args: readonly string[]): Promise<CommandResult>;
  atTerminal(args: readonly string[], ...answers: readonly string[]): Promise<AtTerminal>;
}

interface AtTerminal {
  readonly screen: string;
  readonly exitCode: number;
  readonly answered: number;
}

const question = "[y/N] ";

async function newWorld(toml: string): Promise<World> {
  const temp = await createTempFolder();
  const home = temp.path;
  const cwd = join(home, "sent");
  await Bun.write(join(cwd, "incipit.toml"), toml);
  return {
    home,
    cwd,
    run: (...args) => incipit(args, { cwd, home }),
    async atTerminal(args, ...answers) {
      let answered = 0;
      const given = answers.map((answer) => (): string => {
        answered += 1;
        return answer;
      });
      const seen = await atTerminal({
        command: [...testedCommand, ...args],
        cwd,
        home,
        answers: given.map((answer) => [question, answer] as const),
      });
      return { ...seen, answered };
    },
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

const program = `[mcp.servers.x]\ncommand = "sh"\nargs = ["-c", "touch ran"]\n`;

test("incipit confirms an untrusted folder once, lists its requests, and stores the no", async () => {
  await using world = await newWorld(program);

  const first = await world.atTerminal(["Hello"], "\r");
  const second = await world.atTerminal(["Hello"], "y\r");

  expect(first).toMatchObject({ exitCode: 0, answered: 1 });
  expect(first.screen).toContain('starts the program "sh" "-c" "touch ran"');
  expect(first.screen).toContain("left out mcp.servers.x");
  expect(second).toMatchObject({ exitCode: 0, answered: 0 });
  expect(second.screen).toContain("left out mcp.servers.x");
  expect(await Bun.file(join(world.cwd, "ran")).exists()).toBe(false);
  await Bun.write(join(world.cwd, "incipit.toml"), `${program}# other content\n`);
  expect(await world.atTerminal(["Hello"], "\r")).toMatchObject({ answered: 1 });
}, 300_000);

test("incipit applies a folder's configuration after a yes, until its content changes", async () => {
  await using world = await newWorld(program);

  expect(await world.atTerminal(["Hello"], "y\r")).toMatchObject({ exitCode: 0, answered: 1 });
  expect(await Bun.file(join(world.cwd, "ran")).exists()).toBe(true);
  const again = await world.run("Hello");
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.stderr).not.toContain("incipit.toml");
  await Bun.write(join(world.cwd, "incipit.toml"), program.replace("touch ran", "touch changed"));
  const changed = await world.atTerminal(["Hello"], "n\r");

  expect(changed).toMatchObject({ answered: 1 });
  expect(changed.screen).toContain("changed since you trusted it");
  expect(await Bun.file(join(world.cwd, "changed")).exists()).toBe(false);
}, 300_000);

test("incipit stores nothing when the question is left with Ctrl-C", async () => {
  await using world = await newWorld(program);

  expect(await world.atTerminal(["Hello"], "\u0003")).toMatchObject({ exitCode: 130, answered: 1 });
  expect(await world.atTerminal(["Hello"], "\r")).toMatchObject({ exitCode: 0, answered: 1 });
}, 300_000);

test("incipit applies a harmless folder configuration silently", async () => {
  await using world = await newWorld("tools.workspace = false\nresume = 'ask'\n");
  const own = join(world.home, ".config/incipit/incipit.toml");
  await Bun.write(own, "tools.workspace = true\n");

  const { screen, answered } = await world.atTerminal(["extensions", "show", "workspace-tools"], "\r");

  expect(answered).toBe(0);
  expect(screen).not.toContain("trust.json");
  expect(screen).toMatch(/phase\s+stopped/);
}, 300_000);

test("incipit trust shows a folder, trusts it and revokes the trust", async () => {
  await using world = await newWorld(program);
  await Bun.write(join(world.cwd, "AGENTS.md"), "Rules");
  await Bun.write(join(world.cwd, "docs/rules.md"), "More rules");

  const shown = await world.run("trust");
  const asked = await world.run("trust", "add");
  const [, sha256 = ""] = /--sha256 ([0-9a-f]{64})/.exec(shown.stdout) ?? [];
  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  expect(shown.stdout).toMatch(/AGENTS\.md {2}not trusted, 5 bytes[\s\S]*incipit\.toml {2}not trusted/);
  expect(shown.stdout).toContain('starts the program "sh"');
  expect(asked).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`"--sha256 ${sha256}"`) });
  expect(await world.run("trust", "add", "--sha256", sha256)).toMatchObject({ exitCode: 0 });
  expect((await world.run("trust")).stdout).toMatch(/incipit\.toml {2}trusted[\s\S]*Trusted folders/);
  const more = await world.atTerminal(["trust", "add", "--file", "docs/rules.md"], "y\r");
  expect(more).toMatchObject({ exitCode: 0, answered: 1 });
  expect(JSON.parse((await world.run("trust", "--json")).stdout)).toMatchObject({
    folder: {
      files: [
        { name: "AGENTS.md", trust: "trusted" },
        { name: "docs/rules.md", trust: "trusted" },
        { name: "incipit.toml", trust: "trusted" },
      ],
    },
    trusted: [{ files: { "docs/rules.md": expect.stringMatching(/^[0-9a-f]{64}$/) } }],
  });
  expect((await stat(join(world.home, ".local/share/incipit/trust.json"))).mode & 0o777).toBe(0o600);

  expect(await world.run("trust", "remove")).toMatchObject({ exitCode: 0 });
  expect(await world.run("trust", "remove")).toMatchObject({ exitCode: 1 });
  expect((await world.run("trust")).stdout).toContain("No folder is trusted");
}, 300_000);

const mistakes = [
  [["trust", "ad"], 2, 'There is no "trust ad"'],
  [["trust", "add", "nowhere"], 2, "There is no folder"],
  [["trust", "add", ".", "there"], 2, 'takes no "there"'],
  [["trust", "remove", "--sha256", "x"], 2, 'has no option "--sha256"'],
  [["trust", "add", "--file", "../other.md"], 2, "is not below"],
  [["trust", "add", "--file", "none.md"], 1, "there is no such file"],
  [["trust", "add", "--sha256", "x"], 1, "Nothing was changed"],
  [["trust", "add", "empty"], 1, "There is nothing to trust"],
  [["trust", "add", "wrong"], 1, 'incipit.toml:1: key "modle" is unknown'],
] as const;

test("incipit trust explains a mistake and trusts nothing", async () => {
  await using world = await newWorld(program);
  await mkdir(join(world.cwd, "empty"));
  await Bun.write(join(world.cwd, "wrong/incipit.toml"), "modle = 'x'");

  for (const [args, exitCode, stderr] of mistakes)
    expect({ args, ...(await world.run(...args)) }).toMatchObject({
      args,
      exitCode,
      stderr: expect.stringContaining(stderr),
    });
  expect((await world.run("trust")).stdout).toContain("No folder is trusted");
}, 300_000);

test("incipit applies its user's own file in its folder without a question", async () => {
  await using world = await newWorld("system_prompt = 'Mine'\n");

  const { stdout, stderr } = await world.run("Hello", "--config", "incipit.toml");

  expect(stdout).toContain("Mine");
  expect(stderr).not.toContain("incipit.toml");
}, 300_000);

test("incipit reports an unreadable folder configuration and continues", async () => {
  await using world = await newWorld(program);
  const file = join(world.cwd, "incipit.toml");
  await Bun.file(file).delete();
  await mkdir(file);
  await chmod(file, 0o700);

  expect(await world.run("Hello")).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("was left out: it is not a regular file"),
  });
}, 300_000);
