import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { atTerminal } from "../support/at-terminal.ts";
import { incipit, testedCommand, type CommandResult } from "../support/host-process.ts";

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
  model: "Which model?",
  tools: "ask before each change or command? [Y/n] ",
  over: "Write a new one in its place? [y/N] ",
} as const;

test("setup has two questions on a first run: a listed model, and workspace tools", async () => {
  await using world = await newWorld();
  world.model.models = ["gpt-5.2", "text-embedding-3-large", "gpt-5.4-mini", "bad\u001B[2Jname"];
  const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: world.model.url };

  const { screen, exitCode } = await atTerminal({
    command: [...testedCommand, "setup"],
    cwd: world.work,
    home: world.home,
    env,
    answers: [
      [questions.model, "\r"],
      [questions.tools, "\r"],
    ],
  });
  const text = await Bun.file(world.file).text();
  const asked = await world.run(["Hi"], env);
  const words = await world.run(["config"], env);

  expect(exitCode).toBe(0);
  expect(screen).toContain("   1  openai/gpt-5.4-mini\r\n   2  openai/gpt-5.2\r\n");
  expect(screen).not.toContain("embedding");
  expect(screen).not.toContain("bad");
  expect(screen.match(/\? /g)).toHaveLength(2);
  expect(text).toContain('model = "openai/gpt-5.4-mini"\n');
  expect(text).toContain(`[providers.openai]\nkind = "openai"\nbase_url = "${world.model.url}"\n`);
  expect(text).toContain("[tools]\nworkspace = true\n");
  expect(text.split("\n").filter((line) => line.startsWith("# ")).length).toBeGreaterThan(4);
  expect(text + screen).not.toContain(key);
  expect((await stat(world.file)).mode & 0o777).toBe(0o600);
  expect(await readdir(world.folder)).toEqual(["incipit.toml"]);
  expect([asked.exitCode, asked.stdout]).toEqual([0, "Reply 2\n"]);
  expect(asked.stderr).not.toContain("incipit setup");
  expect(words.stdout).toContain('model = "openai/gpt-5.4-mini"');
  expect(world.model.requests[0]).toMatchObject({
    path: "/v1/models",
    headers: { authorization: `Bearer ${key}` },
  });
}, 60_000);

test("setup lists each endpoint's models, reports failures, and probes local servers by name", async () => {
  await using world = await newWorld();
  using refusing = Bun.serve({ port: 0, fetch: () => new Response("no", { status: 401 }) });
  using silent = Bun.serve({ port: 0, idleTimeout: 0, fetch: () => new Promise<Response>(() => {}) });
  const env = {
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${refusing.port}`,
    GEMINI_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: world.model.urlOf("gemini"),
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: `http://127.0.0.1:${silent.port}/v1`,
    OLLAMA_HOST: new URL(world.model.url).host,
  };
  world.model.models = ["one", "two:8b"];

  const { screen } = await atTerminal({
    command: [...testedCommand, "setup"],
    cwd: world.work,
    home: world.home,
    env,
    term: "xterm-256color",
    answers: [
      [questions.model, "99\r"],
      [questions.model, "ollama\r"],
      [questions.model, "google/thre\r"],
      [questions.model, "anthropic/claude-sonnet-5\r"],
      [questions.model, "\u001B[200~two:8b\r\u001B[201~\r"],
      [questions.model, "ollama/two:8b\r"],
      [questions.tools, "n\r"],
    ],
  });

  expect(screen).toContain("   1  google/one\r\n   2  google/two:8b\r\n");
  expect(screen).toContain("Anthropic refuses the key in ANTHROPIC_API_KEY (401)");
  expect(screen).toContain("OpenAI did not answer within 5 s");
  expect(screen).toContain("There is no 99; the numbers go from 1 to 2");
  expect(screen).toContain("   1  ollama/one\r\n   2  ollama/two:8b\r\n");
  expect(screen).toContain('Google (Gemini) lists no "thre"');
  expect(screen).toContain("anthropic/claude-sonnet-5 is not checked: Anthropic refuses the key");
  expect(await Bun.file(world.file).text()).toContain('model = "ollama/two:8b"\n');
  expect(await Bun.file(world.file).text()).toContain("workspace = false");
  expect(screen).not.toContain(key);
  const paths = world.model.requests.map(({ method, path }) => `${method} ${path}`);
  expect(paths.toSorted()).toEqual(["GET /v1/models", "GET /v1beta/models"]);
}, 60_000);

test("setup accepts an unlisted model entered twice, and confirms overwriting a file", async () => {
  await using world = await newWorld();
  await Bun.write(world.file, 'model = "offline/echo" # mine\n');
  const sitting = {
    command: [...testedCommand, "setup", "-m", "ollama/llama3.2"],
    cwd: world.work,
    home: world.home,
    env: { OLLAMA_HOST: "127.0.0.1:1" },
  };

  const no = await atTerminal({ ...sitting, answers: [[questions.over, "\r"]] });
  const left = await atTerminal({
    ...sitting,
    answers: [
      [questions.over, "y\r"],
      [questions.model, "\u0003"],
    ],
  });
  const unchanged = [await Bun.file(world.file).text(), await readdir(world.folder)];
  const yes = await atTerminal({
    ...sitting,
    answers: [
      [questions.over, "y\r"],
      [questions.model, "ollama/llama3.2\r"],
      [questions.tools, "y\r"],
    ],
  });
  const kept = (await readdir(world.folder)).find((name) => name !== "incipit.toml") ?? "";

  expect([no.exitCode, left.exitCode, yes.exitCode]).toEqual([1, 130, 0]);
  expect(unchanged).toEqual(['model = "offline/echo" # mine\n', ["incipit.toml"]]);
  expect(left.screen).toContain("Ollama does not answer; to start it: ollama serve. To take it all the same");
  expect(await Bun.file(world.file).text()).toContain('base_url = "http://127.0.0.1:1/v1"');
  expect(await Bun.file(join(world.folder, kept)).text()).toBe('model = "offline/echo" # mine\n');
  expect(yes.screen).toContain(`What it said is kept in ${join(world.folder, kept)}`);
  expect(yes.screen).toContain("Start it, if it does not run: ollama serve");
}, 60_000);

test("setup without a terminal requires flags and never overwrites a file", async () => {
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
  expect(text).toContain("workspace = true");
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toContain("is there already, and stays");
  expect(await Bun.file(world.file).text()).toBe(text);
  expect(json).toMatchObject({
    exitCode: 0,
    stdout: `${JSON.stringify({ file: elsewhere, model: "google/gemini-2.5-flash" })}\n`,
  });
  expect(await Bun.file(elsewhere).text()).toContain('api_key_env = "GEMINI_API_KEY"');
}, 60_000);

test("setup explains which file cannot be written, with reason and fix", async () => {
  await using world = await newWorld();
  await Bun.write(join(world.home, ".config"), "");

  const { stdout, stderr, exitCode } = await world.run(["setup", "--model", "offline/echo", "--yes"]);

  expect([stdout, exitCode]).toEqual(["", 1]);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(
    `Cannot write "${world.file}": a part of its path is a file, not a folder; take another file (--config FILE)`,
  );
});
