import { expect, test } from "bun:test";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { testedCommand } from "../support/host-process.ts";
import { World } from "../support/world.ts";
import { isTested } from "./shells.ts";

/** `incipit` is on the path of its shells. */
class Completing extends World {
  readonly searchPath = `${join(this.home, "bin")}:${process.env["PATH"] ?? ""}`;

  static async begin(): Promise<Completing> {
    const program = testedCommand.map((word) => `'${word}'`).join(" ");
    const world = await Completing.start({
      config: 'profiles.reader = { system_prompt = "You read." }',
      files: { "../bin/incipit": `#!/bin/sh\nexec ${program} "$@"\n` },
    });
    await chmod(join(world.home, "bin/incipit"), 0o755);
    return world;
  }

  async shell(command: readonly string[]): Promise<readonly string[]> {
    const { exitCode, stdout, stderr } = await this.run([], { command, env: { PATH: this.searchPath } });
    expect([exitCode, stderr]).toEqual([0, ""]);
    return stdout.split("\n").filter((line) => line !== "");
  }
}

async function complete(world: World, ...words: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr, exitCode } = await world.run(["complete", "--", ...words]);
  expect([stderr, exitCode]).toEqual(["", 0]);
  return stdout.split("\n").filter((line) => line !== "");
}

/** A user presses Tab again, and a busy machine may be late. */
async function atLast(ask: () => Promise<readonly string[]>): Promise<readonly string[]> {
  for (let tries = 1; ; tries += 1) {
    const found = await ask();
    if (found.length > 0 || tries === 50) return found;
  }
}

function completeAtLast(world: World, ...words: readonly string[]): Promise<readonly string[]> {
  return atLast(() => complete(world, ...words));
}

test("incipit complete returns commands, actions, options and their values", async () => {
  await using world = await Completing.begin();
  const values = async (...words: readonly string[]): Promise<readonly string[]> =>
    (await complete(world, ...words)).map((line) => line.split("\t")[0] ?? "");

  expect(await complete(world, "conv")).toEqual(["conversations\tlist conversations, as list does"]);
  expect(await values("conversations", "ar")).toEqual(["archive"]);
  expect(await values("list", "ar")).toEqual(["archived"]);
  expect(await values("queue", "x", "re")).toEqual(["resume", "remove"]);
  expect(await values("approve", "x", "")).toEqual([
    "allow",
    "deny",
    "always",
    "always-in-folder",
    "list",
    "take-back",
  ]);
  expect(await values("list", "--st")).toEqual(["--status"]);
  expect(await values("list", "--status", "wa")).toEqual(["waiting"]);
  expect(await values("--system-mode=re")).toEqual(["--system-mode=replace"]);
  expect(await values("--schema", "")).toEqual([":files"]);
  expect(await values("--cwd", "")).toEqual([":folders"]);
  expect(await values("extensions", "new", "")).toEqual([":folders"]);
  expect(await values("-q", "--max-steps", "3", "conversations", "un")).toEqual(["unarchive"]);
  expect(await values("completions", "p")).toEqual(["powershell"]);
  expect(await values("setup", "")).toEqual([]);
  expect(await values("no-such", "")).toEqual([]);
}, 300_000);

test("[attack:terminal-completion] incipit complete reads ids, models and agents without starting a host", async () => {
  await using world = await Completing.begin();
  const { stdout: nothing } = await world.run(["complete", "--", "-s", ""]);
  await world.run(["-q", "-m", "local/qwen:7b", "Mend the $(touch pwned) parser\u202E"]);
  await world.write(".agents/reviewer.md", "You review.");
  await world.write(".agents/rev;touch pwned.md", "You obey.");
  const before = world.model.requests.length;

  const [id, ...others] = await completeAtLast(world, "conversations", "show", "");
  const short = (id ?? "").split("\t")[0] ?? "";

  expect(nothing).toBe("");
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}\tMend the \$\(touch pwned\) parser\\u202e$/);
  expect(others).toEqual([]);
  expect(await completeAtLast(world, "conversations", "archive", "x", short.slice(0, 4))).toEqual([id ?? ""]);
  expect(await completeAtLast(world, "-m", "local/")).toEqual(["local/qwen:7b"]);
  expect(await completeAtLast(world, "--profile", "rev")).toEqual(["reviewer"]);
  expect(world.model.requests).toHaveLength(before);
}, 300_000);

test("incipit complete queries a running host, and prints nothing when it does not respond", async () => {
  await using world = await Completing.begin();
  const host = await world.host();
  await host.createConversation();

  const profiles = await completeAtLast(world, "--profile", "");
  const models = await completeAtLast(world, "-m", "local/");
  const extensions = await completeAtLast(world, "extensions", "show", "session-");
  process.kill(host.pid, "SIGSTOP");
  const stopped = await complete(world, "extensions", "show", "session-");
  process.kill(host.pid, "SIGCONT");

  expect(profiles).toEqual(["reader"]);
  expect(models).toEqual(["local/test"]);
  expect(extensions).toEqual(["session-orchestrator"]);
  expect(stopped).toEqual([]);
}, 300_000);

test.skipIf(!isTested("bash"))("bash completes with the script of incipit completions bash", async () => {
  await using world = await Completing.begin();
  await world.run(["-q", "-m", "local/qwen:7b", "Mend the parser"]);
  await mkdir(world.path("a folder"));
  await world.write("a file.json", "{}");
  const once = async (type: number, words: readonly string[]): Promise<readonly string[]> => {
    const script = `source <(incipit completions bash); complete -p incipit >/dev/null || exit 1
COMP_TYPE=$1; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
_incipit; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return world.shell(["bash", "--norc", "--noprofile", "-c", script, "bash", String(type), ...words]);
  };
  const replies = (type: number, ...words: readonly string[]): Promise<readonly string[]> =>
    atLast(() => once(type, words));

  expect(await replies(9, "incipit", "conversations", "una")).toEqual(["unarchive"]);
  expect(await replies(9, "incipit", "-m", "local/qwen", ":", "7")).toEqual(["7b"]);
  expect(await replies(9, "incipit", "--model", "=", "local/q")).toEqual(["local/qwen:7b"]);
  expect(await replies(9, "incipit", "--system-mode", "=")).toEqual(["replace", "append"]);
  expect((await replies(9, "incipit", "--schema", "a")).toSorted()).toEqual(["a file.json", "a folder"]);
  expect(await replies(9, "incipit", "--cwd", "a")).toEqual(["a folder"]);
  expect(await replies(63, "incipit", "conversations", "show", "")).toEqual([
    expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4} {2}\(Mend the parser\)$/),
  ]);
});

interface Pressed {
  readonly command: readonly string[];
  readonly source: string;
  readonly answers: readonly (readonly [question: string, answer: string])[];
  /** It beeps without candidates, as after a late response. */
  readonly again?: { readonly sign: string; readonly typed: string };
}

async function pressTab(world: Completing, { command, source, answers, ...again }: Pressed): Promise<string> {
  const env = { PATH: world.searchPath, PS1: "READY> " };
  const all = [["READY> ", `${source}\r`] as const, ...answers];
  return (await world.atTerminal([], all, { command, env, ...again })).screen;
}

const unarchive = [
  ["READY> ", "incipit conversations unarch\t"],
  ["unarchive ", "\u0015exit\r"],
] as const;

test.skipIf(!isTested("bash"))("Tab in bash completes the word", async () => {
  await using world = await Completing.begin();

  const screen = await pressTab(world, {
    command: ["bash", "--norc", "--noprofile", "-i"],
    source: "source <(incipit completions bash)",
    answers: unarchive,
  });

  expect(screen).toContain("incipit conversations unarchive ");
});

test.skipIf(!isTested("zsh"))("Tab in zsh completes the word and lists ids with titles", async () => {
  await using world = await Completing.begin();
  await world.run(["-q", "Mend the parser"]);
  await world.run(["-q", "Write the notes"]);

  const command = ["zsh", "-f", "-i"];
  const source = "autoload -U compinit; compinit -u -D; source <(incipit completions zsh)";
  const screen = await pressTab(world, { command, source, answers: unarchive });
  const answers = [
    ["READY> ", "incipit -s \t\t"],
    ["Mend the parser", "\u0015exit\r"],
  ] as const;
  const listed = await pressTab(world, { command, source, answers, again: { sign: "\u0007", typed: "\t" } });

  expect(screen).toContain("unarchive ");
  expect(listed).toMatch(/[0-9a-f]{8}-[0-9a-f]{4} +-- Write the notes/);
});

test.skipIf(!isTested("fish"))("fish completes with the script of incipit completions fish", async () => {
  await using world = await Completing.begin();
  await world.run(["-q", "-m", "local/qwen:7b", "Mend the parser"]);
  await world.write("schema.json", "{}");
  const of = (line: string): Promise<readonly string[]> =>
    atLast(async () => {
      const script = `incipit completions fish | source; complete -C "${line}"`;
      return world.shell(["fish", "--no-config", "-c", script]);
    });

  expect(await of("incipit conversations una")).toEqual([
    "unarchive\tarchive conversations, or restore them to the list",
  ]);
  expect(await of("incipit --model=local/")).toEqual(["--model=local/qwen:7b"]);
  expect(await of("incipit -s ")).toEqual([expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}\tMend the parser$/)]);
  expect(await of("incipit --schema sch")).toEqual(["schema.json"]);
});

test("incipit completions lists its shells and prints each script, including PowerShell", async () => {
  await using world = await Completing.begin();
  const printed = await Promise.all(
    ["bash", "zsh", "fish", "powershell"].map((shell) => world.run(["completions", shell])),
  );
  const wrong = await Promise.all(
    [["completions"], ["completions", "fisch"], ["completions", "bash", "zsh"]].map((args) => world.run(args)),
  );

  for (const { exitCode, stdout } of printed) {
    expect(exitCode).toBe(0);
    expect(stdout).toContain("complete");
    expect(stdout).not.toContain('${"$"}');
  }
  const script = printed[3]?.stdout ?? "";
  expect(script).toContain("Register-ArgumentCompleter -Native -CommandName incipit");
  expect(script).toContain('$value, $text = $_ -split "`t", 2');
  for (const [open, close] of ["{}", "()", "[]"])
    expect(script.split(open ?? "").length).toBe(script.split(close ?? "").length);
  expect(wrong.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
  expect(wrong[1]?.stderr).toContain('did you mean "fish"?');
}, 300_000);
