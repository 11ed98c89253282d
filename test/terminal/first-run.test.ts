import { expect, test } from "bun:test";
import { join } from "node:path";
import { atTerminal } from "../support/at-terminal.ts";
import { newBareHome } from "../support/bare-home.ts";
import { testedCommand } from "../support/host-process.ts";
import { giveAnswer } from "./answer.ts";
import { Sitting } from "./sitting.ts";

test("a first run: two setup questions, then an approved file change with its cost", async () => {
  await using world = await newBareHome();
  const { home, work, model } = world;
  model.models = ["claude-haiku-4-5", "claude-sonnet-5"];
  const env = {
    ANTHROPIC_API_KEY: "sk-planted-0123456789abcdef0123456789",
    ANTHROPIC_BASE_URL: model.urlOf("anthropic").replace(/\/v1$/, ""),
  };
  const write = { id: "toolu_1", name: "write_file", arguments: JSON.stringify({ path: "a.md", content: "Hi" }) };

  const setup = await atTerminal({
    command: [...testedCommand, "setup"],
    cwd: work,
    home,
    env,
    answers: [
      ["Which model?", "\r"],
      ["ask before each change or command?", "\r"],
    ],
  });
  model.enqueue({ kind: "tool-calls", calls: [write] }, { kind: "text", chunks: ["Written."] });
  await using sitting = new Sitting({ cwd: work, home, env });
  await sitting.sees("anthropic/claude-sonnet-5");
  sitting.enter("Write a.md");
  await sitting.sees("yes, this call");
  const before = await Bun.file(join(work, "a.md")).exists();
  await giveAnswer(sitting, "y");
  const done = await sitting.sees(/Written\.[^]*\$\d/);

  expect(setup.exitCode).toBe(0);
  expect(setup.screen.match(/\? /g)).toHaveLength(2);
  expect(setup.screen).toContain("   1  anthropic/claude-sonnet-5");
  expect(before).toBe(false);
  expect(await Bun.file(join(work, "a.md")).text()).toBe("Hi");
  expect(done).not.toContain("price unknown");
}, 60_000);

test("a machine without configuration: workspace tools are available, and changes need approval", async () => {
  await using world = await newBareHome();
  const { home, work, model } = world;
  const env = { OPENAI_API_KEY: "sk-planted-0123456789abcdef0123456789", OPENAI_BASE_URL: model.url };
  const run = { id: "call-1", name: "shell", arguments: JSON.stringify({ command: "echo ran > ran.txt" }) };
  model.enqueue({ kind: "tool-calls", calls: [run] }, { kind: "text", chunks: ["Not run."] });

  const { exitCode, stdout, stderr } = await world.run(["-m", "openai/gpt-5.2", "Run it"], env);
  await world.run(["mcp", "add", "files", "no-such-program"]);
  const added = await world.run(["config", "tools.workspace"]);

  expect(exitCode).toBe(3);
  expect(stdout).toContain("Not run.");
  expect(stderr).toContain("shell");
  expect(model.requests[0]?.body).toContain('"read_file"');
  expect(await Bun.file(join(work, "ran.txt")).exists()).toBe(false);
  expect(added.stdout).toContain("tools.workspace = true");
  expect(await Bun.file(join(home, ".config/incipit/incipit.toml")).text()).toContain("[mcp.servers.files]");
}, 60_000);
