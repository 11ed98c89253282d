import { expect, test } from "bun:test";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { atTerminal } from "../support/at-terminal.ts";
import { HostProcess, testedCommand } from "../support/host-process.ts";
import { createCommandWorld, type CommandWorld } from "./command-world.ts";
import { isTested } from "./shells.ts";

interface Completing extends CommandWorld {
  readonly path: string;
  shell(command: readonly string[]): Promise<string>;
}

async function createCompleting(): Promise<Completing> {
  const world = await createCommandWorld({ config: 'profiles.reader = { system_prompt = "You read." }\n' });
  const bin = join(world.home, "bin");
  await Bun.write(
    join(bin, "incipit"),
    `#!/bin/sh\nexec ${testedCommand.map((word) => `'${word}'`).join(" ")} "$@"\n`,
  );
  await chmod(join(bin, "incipit"), 0o755);
  const path = `${bin}:${process.env["PATH"] ?? ""}`;
  return {
    ...world,
    path,
    async shell(command) {
      const { home, work: cwd } = world;
      const env = { PATH: path, HOME: home, LANG: "C.UTF-8" };
      const child = Bun.spawn([...command], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
      const [stdout, stderr] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      expect(stderr).toBe("");
      return stdout;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

async function complete(world: CommandWorld, ...words: readonly string[]): Promise<readonly string[]> {
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

function completeAtLast(world: CommandWorld, ...words: readonly string[]): Promise<readonly string[]> {
  return atLast(() => complete(world, ...words));
}

test("incipit complete returns commands, actions, options and their values", async () => {
  await using world = await createCompleting();
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
  await using world = await createCompleting();
  const { stdout: nothing } = await world.run(["complete", "--", "-s", ""]);
  await world.run(["-q", "-m", "local/qwen:7b", "Mend the $(touch pwned) parser\u202E"]);
  await Bun.write(join(world.work, ".agents/reviewer.md"), "You review.");
  await Bun.write(join(world.work, ".agents/rev;touch pwned.md"), "You obey.");
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
  await using world = await createCompleting();
  const data = join(world.home, ".local/share/incipit");
  await using host = await HostProcess.start({
    data,
    config: join(world.home, ".config/incipit/incipit.toml"),
    cwd: world.work,
  });
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

test.skipIf(!isTested("bash"))(
  "bash completes with the script of incipit completions bash",
  async () => {
    await using world = await createCompleting();
    await world.run(["-q", "-m", "local/qwen:7b", "Mend the parser"]);
    await mkdir(join(world.work, "a folder"));
    await Bun.write(join(world.work, "a file.json"), "{}");
    const once = async (type: number, words: readonly string[]): Promise<readonly string[]> => {
      const script = `source <(incipit completions bash); complete -p incipit >/dev/null || exit 1
COMP_TYPE=$1; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
_incipit; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const out = await world.shell([
        "bash",
        "--norc",
        "--noprofile",
        "-c",
        script,
        "bash",
        String(type),
        ...words,
      ]);
      return out.split("\n").filter((line) => line !== "");
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
  },
  300_000,
);

async function pressTab(
  world: Completing,
  {
    command,
    source,
    env = {},
  }: { readonly command: readonly string[]; readonly source: string; readonly env?: Record<string, string> },
): Promise<string> {
  const { screen } = await atTerminal({
    command,
    cwd: world.work,
    home: world.home,
    env: { PATH: world.path, PS1: "READY> ", ...env },
    answers: [
      ["READY> ", `${source}\r`],
      ["READY> ", "incipit conversations unarch\t"],
      ["unarchive ", "\u0015exit\r"],
    ],
  });
  return screen;
}

test.skipIf(!isTested("bash"))(
  "Tab in bash completes the word",
  async () => {
    await using world = await createCompleting();

    const screen = await pressTab(world, {
      command: ["bash", "--norc", "--noprofile", "-i"],
      source: "source <(incipit completions bash)",
    });

    expect(screen).toContain("incipit conversations unarchive ");
  },
  300_000,
);

test.skipIf(!isTested("zsh"))(
  "Tab in zsh completes the word and lists ids with titles",
  async () => {
    await using world = await createCompleting();
    await world.run(["-q", "Mend the parser"]);
    await world.run(["-q", "Write the notes"]);

    const command = ["zsh", "-f", "-i"];
    const source = "autoload -U compinit; compinit -u -D; source <(incipit completions zsh)";
    const screen = await pressTab(world, { command, source });
    const listed = await atTerminal({
      command,
      cwd: world.work,
      home: world.home,
      env: { PATH: world.path, PS1: "READY> " },
      answers: [
        ["READY> ", `${source}\r`],
        ["READY> ", "incipit -s \t\t"],
        ["Mend the parser", "\u0015exit\r"],
      ],
      again: { sign: "\u0007", typed: "\t" }, // It beeps without candidates, as after a late response.
    });

    expect(screen).toContain("unarchive ");
    expect(listed.screen).toMatch(/[0-9a-f]{8}-[0-9a-f]{4} +-- Write the notes/);
  },
  300_000,
);

test.skipIf(!isTested("fish"))(
  "fish completes with the script of incipit completions fish",
  async () => {
    await using world = await createCompleting();
    await world.run(["-q", "-m", "local/qwen:7b", "Mend the parser"]);
    await Bun.write(join(world.work, "schema.json"), "{}");
    const of = (line: string): Promise<readonly string[]> =>
      atLast(async () => {
        const script = `incipit completions fish | source; complete -C "${line}"`;
        const out = await world.shell(["fish", "--no-config", "-c", script]);
        return out.split("\n").filter((text) => text !== "");
      });

    expect(await of("incipit conversations una")).toEqual([
      "unarchive\tarchive conversations, or restore them to the list",
    ]);
    expect(await of("incipit --model=local/")).toEqual(["--model=local/qwen:7b"]);
    expect(await of("incipit -s ")).toEqual([expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}\tMend the parser$/)]);
    expect(await of("incipit --schema sch")).toEqual(["schema.json"]);
  },
  300_000,
);

test("incipit completions lists its shells and prints each script, including PowerShell", async () => {
  await using world = await createCompleting();
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
