import { expect, test } from "bun:test";
import { giveAnswer } from "./answer.ts";
import { TerminalWorld } from "./terminal-world.ts";

test("a first run: two setup questions, then an approved file change with its cost", async () => {
  await using world = await TerminalWorld.start({ config: null });
  const { model } = world;
  model.models = ["claude-haiku-4-5", "claude-sonnet-5"];
  const env = {
    ANTHROPIC_API_KEY: "sk-planted-0123456789abcdef0123456789",
    ANTHROPIC_BASE_URL: model.urlOf("anthropic").replace(/\/v1$/, ""),
  };

  const setup = await world.atTerminal(
    ["setup"],
    [
      ["Which model?", "\r"],
      ["ask before each change or command?", "\r"],
    ],
    { env },
  );
  model.enqueueCall("write_file", { path: "a.md", content: "Hi" });
  model.enqueueText("Written.");
  const sitting = world.sit({ env });
  await sitting.sees("anthropic/claude-sonnet-5");
  await sitting.enterUntil("Write a.md", "yes, this call");
  const before = await world.has("a.md");
  await giveAnswer(sitting, "y");
  const done = await sitting.sees(/Written\.[^]*\$\d/);

  expect(setup.exitCode).toBe(0);
  expect(setup.screen.match(/\? /g)).toHaveLength(2);
  expect(setup.screen).toContain("   1  anthropic/claude-sonnet-5");
  expect(before).toBe(false);
  expect(await world.read("a.md")).toBe("Hi");
  expect(done).not.toContain("price unknown");
}, 60_000);

test("a machine without configuration: workspace tools are available, and changes need approval", async () => {
  await using world = await TerminalWorld.start({ config: null });
  const { model } = world;
  const env = { OPENAI_API_KEY: "sk-planted-0123456789abcdef0123456789", OPENAI_BASE_URL: model.url };
  model.enqueueCall("shell", { command: "echo ran > ran.txt" });
  model.enqueueText("Not run.");

  const { exitCode, stdout, stderr } = await world.run(["-m", "openai/gpt-5.2", "Run it"], { env });
  await world.run(["mcp", "add", "files", "no-such-program"]);
  const added = await world.run(["config", "tools.workspace"]);

  expect(exitCode).toBe(3);
  expect(stdout).toContain("Not run.");
  expect(stderr).toContain("shell");
  expect(model.requests[0]?.body).toContain('"read_file"');
  expect(await world.has("ran.txt")).toBe(false);
  expect(added.stdout).toContain("tools.workspace = true");
  expect(await Bun.file(world.config).text()).toContain("[mcp.servers.files]");
}, 60_000);
