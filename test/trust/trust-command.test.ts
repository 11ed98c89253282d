import { expect, test } from "bun:test";
import { chmod, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { World } from "../support/world.ts";

const question = "[y/N] ";

class Folder extends World {
  static begin(toml: string): Promise<Folder> {
    return Folder.start({ config: null, files: { "incipit.toml": toml } });
  }

  async answer(
    args: readonly string[],
    answer: string,
  ): Promise<{ readonly screen: string; readonly exitCode: number; readonly answered: number }> {
    let answered = 0;
    const given = (): string => {
      answered += 1;
      return answer;
    };
    return { ...(await this.atTerminal(args, [[question, given]])), answered };
  }
}

const program = `[mcp.servers.x]\ncommand = "sh"\nargs = ["-c", "touch ran"]\n`;

test("incipit confirms an untrusted folder once, lists its requests, and stores the no", async () => {
  await using world = await Folder.begin(program);

  const first = await world.answer(["Hello"], "\r");
  const second = await world.answer(["Hello"], "y\r");

  expect(first).toMatchObject({ exitCode: 0, answered: 1 });
  expect(first.screen).toContain('starts the program "sh" "-c" "touch ran"');
  expect(first.screen).toContain("left out mcp.servers.x");
  expect(second).toMatchObject({ exitCode: 0, answered: 0 });
  expect(second.screen).toContain("left out mcp.servers.x");
  expect(await world.has("ran")).toBe(false);
  await world.write("incipit.toml", `${program}# other content\n`);
  expect(await world.answer(["Hello"], "\r")).toMatchObject({ answered: 1 });
}, 300_000);

test("incipit applies a folder's configuration after a yes, until its content changes", async () => {
  await using world = await Folder.begin(program);

  expect(await world.answer(["Hello"], "y\r")).toMatchObject({ exitCode: 0, answered: 1 });
  expect(await world.has("ran")).toBe(true);
  const again = await world.run(["Hello"]);
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.stderr).not.toContain("incipit.toml");
  await world.write("incipit.toml", program.replace("touch ran", "touch changed"));
  const changed = await world.answer(["Hello"], "n\r");

  expect(changed).toMatchObject({ answered: 1 });
  expect(changed.screen).toContain("changed since you trusted it");
  expect(await world.has("changed")).toBe(false);
}, 300_000);

test("incipit stores nothing when the question is left with Ctrl-C", async () => {
  await using world = await Folder.begin(program);

  expect(await world.answer(["Hello"], "\u0003")).toMatchObject({ exitCode: 130, answered: 1 });
  expect(await world.answer(["Hello"], "\r")).toMatchObject({ exitCode: 0, answered: 1 });
}, 300_000);

test("incipit applies a harmless folder configuration silently", async () => {
  await using world = await Folder.begin("tools.workspace = false\nresume = 'ask'\n");
  await world.configure(() => "tools.workspace = true\n");

  const { screen, answered } = await world.answer(["extensions", "show", "workspace-tools"], "\r");

  expect(answered).toBe(0);
  expect(screen).not.toContain("trust.json");
  expect(screen).toMatch(/phase\s+stopped/);
}, 300_000);

test("incipit trust shows a folder, trusts it and revokes the trust", async () => {
  await using world = await Folder.begin(program);
  await world.write("AGENTS.md", "Rules");
  await world.write("docs/rules.md", "More rules");

  const shown = await world.run(["trust"]);
  const asked = await world.run(["trust", "add"]);
  const [, sha256 = ""] = /--sha256 ([0-9a-f]{64})/.exec(shown.stdout) ?? [];
  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  expect(shown.stdout).toMatch(/AGENTS\.md {2}not trusted, 5 bytes[\s\S]*incipit\.toml {2}not trusted/);
  expect(shown.stdout).toContain('starts the program "sh"');
  expect(asked).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`"--sha256 ${sha256}"`) });
  expect(await world.run(["trust", "add", "--sha256", sha256])).toMatchObject({ exitCode: 0 });
  expect((await world.run(["trust"])).stdout).toMatch(/incipit\.toml {2}trusted[\s\S]*Trusted folders/);
  const more = await world.answer(["trust", "add", "--file", "docs/rules.md"], "y\r");
  expect(more).toMatchObject({ exitCode: 0, answered: 1 });
  expect(JSON.parse((await world.run(["trust", "--json"])).stdout)).toMatchObject({
    folder: {
      files: [
        { name: "AGENTS.md", trust: "trusted" },
        { name: "docs/rules.md", trust: "trusted" },
        { name: "incipit.toml", trust: "trusted" },
      ],
    },
    trusted: [{ files: { "docs/rules.md": expect.stringMatching(/^[0-9a-f]{64}$/) } }],
  });
  expect((await stat(join(world.data, "trust.json"))).mode & 0o777).toBe(0o600);

  expect(await world.run(["trust", "remove"])).toMatchObject({ exitCode: 0 });
  expect(await world.run(["trust", "remove"])).toMatchObject({ exitCode: 1 });
  expect((await world.run(["trust"])).stdout).toContain("No folder is trusted");
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
  await using world = await Folder.begin(program);
  await mkdir(world.path("empty"));
  await world.write("wrong/incipit.toml", "modle = 'x'");

  for (const [args, exitCode, stderr] of mistakes)
    expect({ args, ...(await world.run(args)) }).toMatchObject({
      args,
      exitCode,
      stderr: expect.stringContaining(stderr),
    });
  expect((await world.run(["trust"])).stdout).toContain("No folder is trusted");
}, 300_000);

test("incipit applies its user's own file in its folder without a question", async () => {
  await using world = await Folder.begin("system_prompt = 'Mine'\n");

  const { stdout, stderr } = await world.run(["Hello", "--config", "incipit.toml"]);

  expect(stdout).toContain("Mine");
  expect(stderr).not.toContain("incipit.toml");
}, 300_000);

test("incipit reports an unreadable folder configuration and continues", async () => {
  await using world = await Folder.begin(program);
  const file = world.path("incipit.toml");
  await Bun.file(file).delete();
  await mkdir(file);
  await chmod(file, 0o700);

  expect(await world.run(["Hello"])).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("was left out: it is not a regular file"),
  });
}, 300_000);
