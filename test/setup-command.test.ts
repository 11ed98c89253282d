import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { atTerminal } from "./at-terminal.ts";
import { incipit, testedCommand, type CommandResult } from "./host-process.ts";

const key = "sk-planted-0123456789abcdef0123456789";

interface World extends AsyncDisposable {
  readonly home: string;
  readonly work: string;
  readonly folder: string;
  readonly file: string;
  readonly model: RecordingModelServer;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CommandResult>;
}

async function newWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const temporary = stack.use(await createTempFolder());
  const model = stack.use(await startRecordingModelServer());
  const home = await realpath(temporary.path);
  const work = join(home, "work");
  await mkdir(work);
  const folder = join(home, ".config/incipit");
  const owned = stack.move();
  return {
    home,
    work,
    folder,
    file: join(folder, "incipit.toml"),
    model,
    run: (args, env = {}) => incipit(args, { cwd: work, home, env }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const questions = {
  vendor: "Its number",
  model: "Which model of it",
  workspace: "run programs after asking you? [y/N] ",
  untrusted: "such as its AGENTS.md? [y/N] ",
  over: "Write a new one in its place? [y/N] ",
  write: 'Write this to "',
} as const;

test("setup asks for vendor, model, folder and rules, shows what it would write, and writes it for its user alone", async () => {
  await using world = await newWorld();
  const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: world.model.url };

  const { screen, exitCode } = await atTerminal({
    command: [...testedCommand, "setup"],
    cwd: world.work,
    home: world.home,
    env,
    answers: [
      [questions.vendor, "99\r"],
      [questions.vendor, "\r"],
      [questions.model, "gpt-5.2\r"],
      [questions.workspace, "y\r"],
      [questions.untrusted, "y\r"],
      [questions.write, "y\r"],
    ],
  });
  const text = await Bun.file(world.file).text();
  const asked = await world.run(["Hi"], env);
  const words = await world.run(["config"], env);

  expect(exitCode).toBe(0);
  expect(screen).toMatch(/ 1 {2}OpenAI +OPENAI_API_KEY is set/);
  expect(screen).toMatch(/ 2 {2}Anthropic +ANTHROPIC_API_KEY is not set/);
  expect(screen).toContain('There is no "99"');
  expect(text).toContain('model = "openai/gpt-5.2"\n');
  expect(text).toContain(`[providers.openai]\nkind = "openai"\nbase_url = "${world.model.url}"\n`);
  expect(text).toContain("[tools]\nworkspace = true\n");
  expect(text).toContain('[prompt]\nuntrusted = "ask"\n');
  expect(text.split("\n").filter((line) => line.startsWith("# ")).length).toBeGreaterThan(4);
  expect(text + screen).not.toContain(key);
  expect((await stat(world.file)).mode & 0o777).toBe(0o600);
  expect(await readdir(world.folder)).toEqual(["incipit.toml"]);
  expect([asked.exitCode, asked.stdout]).toEqual([0, "Reply 1\n"]);
  expect(asked.stderr).not.toContain("incipit setup");
  expect(words.stdout).toContain('model = "openai/gpt-5.2"');
}, 60_000);

test("setup names what a chosen program of this machine has, and takes a name that is pasted", async () => {
  await using world = await newWorld();
  const sitting = {
    command: [...testedCommand, "setup"],
    cwd: world.work,
    home: world.home,
    env: { OLLAMA_HOST: new URL(world.model.url).host },
    term: "xterm-256color",
  };
  const rest = [
    [questions.workspace, "n\r"],
    [questions.untrusted, "n\r"],
    [questions.write, "n\r"],
  ] as const;

  const listed = await atTerminal({
    ...sitting,
    answers: [[questions.vendor, "ollama\r"], [questions.model, "\r"], ...rest],
  });
  const pasted = await atTerminal({
    ...sitting,
    answers: [[questions.vendor, "ollama\r"], [questions.model, "\u001B[200~qwen3:8b\r\u001B[201~\r"], ...rest],
  });

  const [, first = ""] = /It has (\S+)/.exec(listed.screen) ?? [];
  expect(first).not.toBe("");
  expect(listed.screen).toContain(`model = "ollama/${first}"`);
  expect(pasted.screen).toContain('model = "ollama/qwen3:8b"');
  expect(world.model.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /v1/models",
    "GET /v1/models",
  ]);
}, 60_000);

test("setup writes over no file without asking, keeps what it said, and writes nothing after a no or Ctrl-C", async () => {
  await using world = await newWorld();
  await Bun.write(world.file, 'model = "offline/echo" # mine\n');
  const sitting = {
    command: [...testedCommand, "setup", "-m", "ollama/llama3.2"],
    cwd: world.work,
    home: world.home,
  };

  const no = await atTerminal({ ...sitting, answers: [[questions.over, "\r"]] });
  const left = await atTerminal({
    ...sitting,
    answers: [
      [questions.over, "y\r"],
      [questions.workspace, "\u0003"],
    ],
  });
  const last = await atTerminal({
    ...sitting,
    answers: [
      [questions.over, "y\r"],
      [questions.workspace, "n\r"],
      [questions.untrusted, "n\r"],
      [questions.write, "n\r"],
    ],
  });
  const unchanged = [await Bun.file(world.file).text(), await readdir(world.folder)];
  const yes = await atTerminal({
    ...sitting,
    answers: [
      [questions.over, "y\r"],
      [questions.workspace, "n\r"],
      [questions.untrusted, "n\r"],
      [questions.write, "y\r"],
    ],
  });
  const kept = (await readdir(world.folder)).find((name) => name !== "incipit.toml") ?? "";

  expect([no.exitCode, left.exitCode, last.exitCode, yes.exitCode]).toEqual([1, 130, 1, 0]);
  expect(unchanged).toEqual(['model = "offline/echo" # mine\n', ["incipit.toml"]]);
  expect(await Bun.file(world.file).text()).toContain('base_url = "http://127.0.0.1:11434/v1"');
  expect(await Bun.file(join(world.folder, kept)).text()).toBe('model = "offline/echo" # mine\n');
  expect(yes.screen).toContain(`What it said is kept in ${join(world.folder, kept)}`);
  expect(yes.screen).toContain("Start it, if it does not run: ollama serve");
}, 60_000);

test("setup without a terminal says what to pass, works with that, and leaves a file that is there as it is", async () => {
  await using world = await newWorld();

  const bare = await world.run(["setup"]);
  const half = await world.run(["setup", "--yes"]);
  const unknown = await world.run(["setup", "--yes", "--model", "acme/one"]);
  const nothing = await readdir(world.home);
  const done = await world.run(["setup", "--yes", "--model", "anthropic/claude-sonnet-5"]);
  const text = await Bun.file(world.file).text();
  const again = await world.run(["setup", "--yes", "--model", "openai/gpt-5.2"]);
  const elsewhere = join(world.home, "other.toml");
  const json = await world.run(["setup", "-y", "-m", "google/gemini-2.5-flash", "--json", "--config", elsewhere], {
    GEMINI_API_KEY: key,
  });

  expect([bare.exitCode, half.exitCode, unknown.exitCode]).toEqual([2, 2, 2]);
  expect(bare.stderr).toContain("incipit setup --model PROVIDER/MODEL --yes");
  expect(unknown.stderr).toContain("anthropic, openai, google");
  expect(nothing).not.toContain(".config");
  expect([done.exitCode, done.stderr]).toEqual([0, ""]);
  expect(done.stdout).toContain("then: export ANTHROPIC_API_KEY=…");
  expect(text).toContain("workspace = false");
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toContain("is there already, and stays");
  expect(await Bun.file(world.file).text()).toBe(text);
  expect(json).toMatchObject({
    exitCode: 0,
    stdout: `${JSON.stringify({ file: elsewhere, model: "google/gemini-2.5-flash" })}\n`,
  });
  expect(await Bun.file(elsewhere).text()).toContain('api_key_env = "GEMINI_API_KEY"');
}, 60_000);

test("setup that cannot write its file says which one, why, and what to do", async () => {
  await using world = await newWorld();
  await Bun.write(join(world.home, ".config"), "");

  const { stdout, stderr, exitCode } = await world.run(["setup", "--model", "offline/echo", "--yes"]);

  expect([stdout, exitCode]).toEqual(["", 1]);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(
    `Cannot write "${world.file}": a file is where a folder has to be; take another file (--config FILE)`,
  );
});
