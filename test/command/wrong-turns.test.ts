import type { RecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { CommandResult } from "../support/host-process.ts";
import { TerminalWorld } from "../terminal/terminal-world.ts";

const key = "sk-planted-0123456789abcdef0123456789";

function startWorld(): Promise<TerminalWorld> {
  return TerminalWorld.start({ config: null });
}

function keyOf({ model }: TerminalWorld): { readonly env: Readonly<Record<string, string>> } {
  return { env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: new URL(model.url).origin } };
}

function refuse(model: RecordingModelServer, status: number, type: string, message: string): void {
  model.enqueue({ kind: "error", status, body: JSON.stringify({ type: "error", error: { type, message } }) });
}

test("a model without its provider, a bare provider and a mistyped one get suggestions", async () => {
  await using world = await startWorld();
  for (const [written, meant] of [
    ["claude-sonnet-5", 'Did you mean "anthropic/claude-sonnet-5"?'],
    ["gpt-5.4-mni", 'Did you mean "openai/gpt-5.4-mini"?'],
    ["anthropic", "as in -m anthropic/claude-sonnet-5"],
    ["antropic/claude-sonnet-5", 'Did you mean "anthropic/claude-sonnet-5"?'],
    ["antropic/claude-sonet-5", 'Did you mean "anthropic/claude-sonnet-5"?'],
    ["olama/llama3.2", 'Did you mean "ollama/llama3.2"?'],
  ] as const) {
    const { exitCode, stderr } = await world.run(["-m", written, "Hi there"]);

    expect({ written, exitCode }).toEqual({ written, exitCode: 1 });
    expect(stderr).toContain(meant);
  }
}, 300_000);

test("a mistyped model, a rejected key and missing credit get advice with the provider's page", async () => {
  await using world = await startWorld();
  const ask = (name: string): Promise<CommandResult> =>
    world.run(["-m", `anthropic/${name}`, "Hi there"], keyOf(world));

  refuse(world.model, 404, "not_found_error", "model: claude-sonet-5");
  const mistyped = await ask("claude-sonet-5");
  refuse(world.model, 401, "authentication_error", "invalid x-api-key");
  const refused = await ask("claude-sonnet-5");
  refuse(world.model, 400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API.");
  const poor = await ask("claude-sonnet-5");

  expect(mistyped.stderr).toContain('Did you mean "anthropic/claude-sonnet-5"?');
  expect(refused.stderr).toContain("Check that ANTHROPIC_API_KEY holds a complete key of Anthropic");
  expect(refused.stderr).toContain("https://platform.claude.com/settings/keys");
  expect(poor.stderr).toContain("Anthropic API; add credit at the vendor");
  expect([mistyped.exitCode, refused.exitCode, poor.exitCode]).toEqual([1, 1, 1]);
}, 300_000);

test("an unreachable provider is reported with its address, and an empty address counts as unset", async () => {
  await using world = await startWorld();

  // Each retries for some seconds, so both run in parallel with separate data folders.
  const [closed, empty] = await Promise.all([
    world.run(["--data", join(world.home, "closed"), "-m", "ollama/llama3.2", "Hi there"], {
      env: { OLLAMA_HOST: "127.0.0.1:1" },
    }),
    world.run(["--data", join(world.home, "empty"), "-m", "anthropic/claude-sonnet-5", "Hi there"], {
      env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: "", HTTPS_PROXY: "http://127.0.0.1:1" },
    }),
  ]);

  expect(closed.stderr).toContain('nothing answers at "127.0.0.1:1" (ECONNREFUSED); check');
  expect(closed.stderr).not.toContain("Is the computer able");
  expect(empty.stderr).toContain('Cannot reach "api.anthropic.com"');
  expect(empty.stderr).not.toContain("baseURL");
}, 300_000);

test("doctor reports missing keys and an invalid model, with a suggestion", async () => {
  await using world = await startWorld();

  const anyPort = { INCIPIT_PORT: "0" }; // The default port may be in use, which doctor would report.
  const nothing = await world.run(["doctor"], { env: anyPort });
  const bare = await world.run(["doctor", "-m", "claude-sonnet-5"]);
  const vendor = await world.run(["doctor", "-m", "anthropic"]);
  const mistyped = await world.run(["doctor", "-m", "anthropic/claude-sonet-5"], {
    env: { ...keyOf(world).env, ...anyPort },
  });
  const dated = await world.run(["doctor", "-m", "anthropic/claude-sonnet-4-5-20250929"], keyOf(world));
  const unset = await world.run(["doctor", "-m", "anthropic/claude-sonnet-5"]);
  const inVariable = await world.run(["doctor"], {
    env: { INCIPIT_MODEL: "anthropic/claude-sonet-5" },
  });
  const { config: file } = world;
  await world.configure(() => 'model = "anthropic/claude-sonet-5"\n');
  const inFile = await world.run(["doctor"]);

  expect(nothing).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("note   keys: no key of a vendor"),
  });
  expect(bare.exitCode).toBe(1);
  expect(bare.stdout).toContain(
    'WRONG  configuration: "claude-sonnet-5" is not PROVIDER/MODEL\n       -> name it: -m anthropic/claude-sonnet-5\n',
  );
  expect(vendor.stdout).toContain(
    'WRONG  configuration: "anthropic" is not PROVIDER/MODEL\n       -> name it: -m anthropic/claude-sonnet-5\n',
  );
  expect(inVariable.stdout).toContain(
    "       at INCIPIT_MODEL\n       -> export INCIPIT_MODEL=anthropic/claude-sonnet-5\n",
  );
  expect(inFile.stdout).toContain(
    `       at ${file}\n       -> change it to model = "anthropic/claude-sonnet-5"\n`,
  );
  expect(mistyped).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('did you mean "anthropic/claude-sonnet-5"?'),
  });
  expect(dated.stdout).not.toContain("is not among the models");
  expect(unset.stdout).toContain("ANTHROPIC_API_KEY is not set");
  expect(unset.stdout).not.toContain("at incipit.toml");
}, 300_000);

test("setup asks again after empty input, a mistyped provider and an unverifiable model", async () => {
  await using world = await startWorld();

  const { exitCode, screen } = await world.atTerminal(
    ["setup"],
    [
      ["Which model?", "\r"],
      ["Which model?", "antropic\r"],
      ["Which model?", "anthropic\r"],
      ["Which model?", "anthropic/claude-sonnet-5\r"],
      ["Which model?", "anthropic/claude-sonnet-5\r"],
      ["ask before each change or command? [Y/n] ", "\r"],
    ],
  );

  expect(exitCode).toBe(0);
  expect(screen).toContain("Nothing was chosen; write VENDOR/MODEL");
  expect(screen).toContain('There is no "antropic"; did you mean "anthropic"?');
  expect(screen).toContain("Anthropic has no key: ANTHROPIC_API_KEY is not set (get one at https://");
  expect(screen).toContain("anthropic/claude-sonnet-5 is not checked: ");
  expect(await Bun.file(world.config).text()).toContain('model = "anthropic/claude-sonnet-5"\n');
}, 300_000);

test("the terminal explains offline/echo, and a failed turn links to the provider's keys", async () => {
  await using world = await startWorld();
  const none = world.sit({ columns: 120 });
  await none.sees('offline/echo answers: it only repeats what it was told. "incipit setup" chooses a real model');
  await none[Symbol.asyncDispose]();
  const keyed = world.sit({ ...keyOf(world), columns: 120 });
  await keyed.sees("ANTHROPIC_API_KEY is set: /model anthropic/claude-sonnet-5");
  await keyed.enterUntil(
    "/model claude-sonnet-5",
    "claude-sonnet-5 is not PROVIDER/MODEL; did you mean anthropic/claude-sonnet-5?",
  );
  await keyed[Symbol.asyncDispose]();
  const sitting = world.sit({ args: ["-m", "anthropic/claude-sonnet-5"], columns: 120 });
  await sitting.sees("anthropic/claude-sonnet-5");
  await sitting.enterUntil("Hello there", "https://platform.claude.com/settings/keys");
}, 300_000);

test("prompt set keeps the template without input, and prompt remove deletes it", async () => {
  await using world = await startWorld();
  await world.run(["prompt", "set", "Be brief."]);

  const empty = await world.run(["prompt", "set"]);
  const kept = await world.run(["prompt"]);
  const removed = await world.run(["prompt", "remove"]);
  const shown = await world.run(["prompt"]);
  const again = await world.run(["prompt", "remove"]);

  expect(empty).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Standard input is empty") });
  expect(kept.stdout).toBe("Be brief.\n");
  expect(removed.stderr).toContain(
    "New conversations use the built-in default. To bring it back: incipit prompt restore 1\n",
  );
  expect(shown.stderr).toBe("(default)\n");
  expect(again).toMatchObject({ exitCode: 0, stderr: "No template was stored\n" });
}, 300_000);

test("a template with typical mistakes of beginners gets suggestions", async () => {
  await using world = await startWorld();
  await world.write("notes.md", "The parser is in src/parse.ts.");

  const { stderr } = await world.run([
    "prompt",
    "set",
    "[flie:notes.md] [file: notes.md] [file:~/notes.md] [file:../notes.md] [file:/etc/hostname]",
  ]);

  expect(stderr).toContain('Did you mean "file:notes.md"?');
  expect(stderr).toContain('The space belongs to the name: did you mean "file:notes.md"?');
  expect(stderr).toContain('A "~" is a folder of that name here, and not your home');
  expect(stderr).toContain(`Add "${join(world.home, "notes.md")}" to [prompt] read in your incipit.toml`);
  expect(stderr).toContain('Add "/etc/hostname" to [prompt] read in your incipit.toml');
}, 300_000);

test("incipit models points out providers without a key; incipit prompt edit requires a terminal", async () => {
  await using world = await startWorld();

  const listed = await world.run(["models"]);
  const claude = await world.run(["models", "claude"]);
  const withKey = await world.run(["models", "claude"], keyOf(world));
  const edited = await world.run(["prompt", "edit"]);

  for (const { stderr } of [listed, claude]) expect(stderr).toContain("are listed once its key is set");
  expect(withKey.stdout).toContain("anthropic/claude-sonnet-5");
  expect(withKey.stderr).not.toContain("once its key is set");
  expect(edited).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("An editor needs a terminal") });
}, 300_000);

test("record show -c shows the newest prompt of the folder", async () => {
  await using world = await startWorld();
  await world.write("notes.md", "The parser is in src/parse.ts.");

  const none = await world.run(["record", "show", "-c"]);
  await world.run(["prompt", "set", "Use these notes: [file:notes.md]"]);
  await world.run(["-m", "anthropic/claude-sonnet-5", "Where is the parser?"], keyOf(world));
  const shown = await world.run(["record", "show", "-c"]);
  const exported = await world.run(["record", "export", "-c", "out"]);

  expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("There is no conversation in") });
  expect(world.lastBody).toContain("Use these notes: The parser is in src/parse.ts.");
  expect(shown.stdout).toContain("--- system\nUse these notes: The parser is in src/parse.ts.\n");
  expect(exported.exitCode).toBe(0);
}, 300_000);

test("the guide to a first model runs as written, and the prompt contains the file", async () => {
  await using world = await startWorld();
  const guide = await Bun.file(join(import.meta.dir, "../../docs/guide/first-model.md")).text();
  await world.write("notes.md", "The parser is in src/parse.ts.");
  const env = { ...keyOf(world).env, OLLAMA_HOST: new URL(world.model.url).host };
  const commands = [...guide.matchAll(/^```sh\n([^]*?)^```/gm)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    // The key is already in the environment, and setup requires a terminal.
    .filter((line) => line.startsWith("incipit ") && line !== "incipit setup")
    .map((line) =>
      [...line.slice("incipit ".length).matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
        ([, a, b, c]) => a ?? b ?? c ?? "",
      ),
    );
  expect(commands.length).toBeGreaterThan(5);

  for (const args of commands) expect({ args, ...(await world.run(args, { env })) }).toMatchObject({ exitCode: 0 });

  expect(world.bodies.map((body) => body.includes("Use these notes: The parser"))).toContain(true);
  expect(await Bun.file(world.config).exists()).toBe(true);
}, 300_000);
