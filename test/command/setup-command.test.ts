import { expect, test } from "bun:test";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { World } from "../support/world.ts";

const key = "sk-planted-0123456789abcdef0123456789";

const questions = {
  model: "Which model?",
  tools: "ask before each change or command? [Y/n] ",
  over: "Write a new one in its place? [y/N] ",
} as const;

test("setup has two questions on a first run: a listed model, and workspace tools", async () => {
  await using world = await World.start({ config: null });
  world.model.models = ["gpt-5.2", "text-embedding-3-large", "gpt-5.4-mini", "bad\u001B[2Jname"];
  const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: world.model.url };

  const { screen, exitCode } = await world.atTerminal(
    ["setup"],
    [
      [questions.model, "\r"],
      [questions.tools, "\r"],
    ],
    { env },
  );
  const text = await Bun.file(world.config).text();
  const asked = await world.run(["Hi"], { env });
  const words = await world.run(["config"], { env });

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
  expect((await stat(world.config)).mode & 0o777).toBe(0o600);
  expect(await readdir(dirname(world.config))).toEqual(["incipit.toml"]);
  expect([asked.exitCode, asked.stdout]).toEqual([0, "Reply 2\n"]);
  expect(asked.stderr).not.toContain("incipit setup");
  expect(words.stdout).toContain('model = "openai/gpt-5.4-mini"');
  expect(world.model.requests[0]).toMatchObject({
    path: "/v1/models",
    headers: { authorization: `Bearer ${key}` },
  });
}, 60_000);

test("setup lists each endpoint's models, reports failures, and probes local servers by name", async () => {
  await using world = await World.start({ config: null });
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

  const { screen } = await world.atTerminal(
    ["setup"],
    [
      [questions.model, "99\r"],
      [questions.model, "ollama\r"],
      [questions.model, "google/thre\r"],
      [questions.model, "anthropic/claude-sonnet-5\r"],
      [questions.model, "\u001B[200~two:8b\r\u001B[201~\r"],
      [questions.model, "ollama/two:8b\r"],
      [questions.tools, "n\r"],
    ],
    { env, term: "xterm-256color" },
  );

  expect(screen).toContain("   1  google/one\r\n   2  google/two:8b\r\n");
  expect(screen).toContain("Anthropic refuses the key in ANTHROPIC_API_KEY (401)");
  expect(screen).toContain("OpenAI did not answer within 5 s");
  expect(screen).toContain("There is no 99; the numbers go from 1 to 2");
  expect(screen).toContain("   1  ollama/one\r\n   2  ollama/two:8b\r\n");
  expect(screen).toContain('Google (Gemini) lists no "thre"');
  expect(screen).toContain("anthropic/claude-sonnet-5 is not checked: Anthropic refuses the key");
  expect(await Bun.file(world.config).text()).toContain('model = "ollama/two:8b"\n');
  expect(await Bun.file(world.config).text()).toContain("workspace = false");
  expect(screen).not.toContain(key);
  const paths = world.model.requests.map(({ method, path }) => `${method} ${path}`);
  expect(paths.toSorted()).toEqual(["GET /v1/models", "GET /v1beta/models"]);
}, 60_000);

test("setup accepts an unlisted model entered twice, and confirms overwriting a file", async () => {
  await using world = await World.start({ config: null });
  await Bun.write(world.config, 'model = "offline/echo" # mine\n');
  const sit = (...answers: readonly (readonly [string, string])[]): ReturnType<World["atTerminal"]> =>
    world.atTerminal(["setup", "-m", "ollama/llama3.2"], answers, { env: { OLLAMA_HOST: "127.0.0.1:1" } });

  const no = await sit([questions.over, "\r"]);
  const left = await sit([questions.over, "y\r"], [questions.model, "\u0003"]);
  const unchanged = [await Bun.file(world.config).text(), await readdir(dirname(world.config))];
  const yes = await sit([questions.over, "y\r"], [questions.model, "ollama/llama3.2\r"], [questions.tools, "y\r"]);
  const kept = (await readdir(dirname(world.config))).find((name) => name !== "incipit.toml") ?? "";

  expect([no.exitCode, left.exitCode, yes.exitCode]).toEqual([1, 130, 0]);
  expect(unchanged).toEqual(['model = "offline/echo" # mine\n', ["incipit.toml"]]);
  expect(left.screen).toContain("Ollama does not answer; to start it: ollama serve. To take it all the same");
  expect(await Bun.file(world.config).text()).toContain('base_url = "http://127.0.0.1:1/v1"');
  expect(await Bun.file(join(dirname(world.config), kept)).text()).toBe('model = "offline/echo" # mine\n');
  expect(yes.screen).toContain(`What it said is kept in ${join(dirname(world.config), kept)}`);
  expect(yes.screen).toContain("Start it, if it does not run: ollama serve");
}, 60_000);

test("setup without a terminal requires flags and never overwrites a file", async () => {
  await using world = await World.start({ config: null });

  const bare = await world.run(["setup"]);
  const half = await world.run(["setup", "--yes"]);
  const unknown = await world.run(["setup", "--yes", "--model", "acme/one"]);
  const nothing = await readdir(world.home);
  const done = await world.run(["setup", "--yes", "--model", "anthropic/claude-sonnet-5"]);
  const text = await Bun.file(world.config).text();
  const again = await world.run(["setup", "--yes", "--model", "openai/gpt-5.2"]);
  const elsewhere = join(world.home, "other.toml");
  const json = await world.run(["setup", "-y", "-m", "google/gemini-2.5-flash", "--json", "--config", elsewhere], {
    env: { GEMINI_API_KEY: key },
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
  expect(await Bun.file(world.config).text()).toBe(text);
  expect(json).toMatchObject({
    exitCode: 0,
    stdout: `${JSON.stringify({ file: elsewhere, model: "google/gemini-2.5-flash" })}\n`,
  });
  expect(await Bun.file(elsewhere).text()).toContain('api_key_env = "GEMINI_API_KEY"');
}, 60_000);

test("setup explains which file cannot be written, with reason and fix", async () => {
  await using world = await World.start({ config: null });
  await Bun.write(join(world.home, ".config"), "");

  const { stdout, stderr, exitCode } = await world.run(["setup", "--model", "offline/echo", "--yes"]);

  expect([stdout, exitCode]).toEqual(["", 1]);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(
    `Cannot write "${world.config}": a part of its path is a file, not a folder; take another file (--config FILE)`,
  );
});
