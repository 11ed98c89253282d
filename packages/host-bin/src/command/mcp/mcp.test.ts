import type { ToolServerInfo } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { answeringHost } from "../testing/answering-host.ts";
import { runCommand } from "../testing/run-command.ts";

const idle: ToolServerInfo = {
  name: "files",
  target: "npx -y server-files",
  state: "idle",
  error: null,
  tools: null,
  problems: [],
  instructions: null,
};
const tool = { name: "files__read", description: "Reads a file", isReadOnly: true, approval: "allow" } as const;

async function run(answer: object, ...words: readonly string[]): Promise<readonly [number, string, string]> {
  const { exitCode, stdout, stderr } = await runCommand(["mcp", ...words], answeringHost(answer));
  return [exitCode, stdout, stderr];
}

test("mcp lists the servers with their states, or how to add one", async () => {
  const failed = { ...idle, name: "web", state: "failed", error: "did not start: the program" } as const;

  const [exitCode, stdout, stderr] = await run({ servers: [idle, failed] });
  const none = await run({ servers: [] }, "list");

  expect(exitCode).toBe(0);
  expect(stdout).toContain("files                     idle");
  expect(stdout).toContain("npx -y server-files");
  expect(stderr).toBe("  did not start: the program\n");
  expect(none).toEqual([0, "", expect.stringContaining("to add one: incipit mcp add NAME -- PROGRAM")]);
});

test("mcp test shows a server's tools and their approval, or fails with the reason", async () => {
  const denied = { ...tool, name: "files__write", approval: "deny" } as const;
  const running = { ...idle, state: "running", tools: [tool, denied], problems: ['has no tool "gone"'] } as const;

  const good = await run({ server: running }, "test", "files");
  const bad = await run(
    { server: { ...idle, state: "failed", error: "ended (exit code 3): no license" } },
    "test",
    "files",
  );

  expect(good[0]).toBe(0);
  expect(good[1]).toMatch(
    /^files__read +runs without approval +Reads a file\nfiles__write +hidden from models +Reads a file\n$/,
  );
  expect(good[2]).toBe('It has no tool "gone"\nThe MCP server "files" runs, with 2 tools\n');
  expect(bad).toEqual([1, "", 'The MCP server "files" ended (exit code 3): no license\n']);
});

test("mcp counts a single tool in the singular", async () => {
  const one = { ...idle, state: "running", tools: [tool] } as const;

  const [, listed] = await run({ servers: [one] });
  const [, , tested] = await run({ server: one }, "test", "files");

  expect(listed).toMatch(/running +1 tool +npx/);
  expect(tested).toBe('The MCP server "files" runs, with 1 tool\n');
});

test("mcp test fails with the reason when a server does not list its tools", async () => {
  const unlisted = {
    ...idle,
    state: "running",
    problems: ["did not list its tools: it failed: no network"],
  } as const;

  const [exitCode, , stderr] = await run({ server: unlisted }, "test", "files");
  const [jsonExitCode] = await run({ server: unlisted }, "test", "files", "--json");

  expect([exitCode, jsonExitCode]).toEqual([1, 1]);
  expect(stderr).toStartWith("It did not list its tools: it failed: no network\n");
});

test("mcp shows the first line and the length of a server's instructions", async () => {
  const instructions = "Read before you write.\u001B[2J\nAsk for large files.";
  const running = { ...idle, state: "running", tools: [tool], instructions } as const;

  const [, listed] = await run({ servers: [running] });
  const [, , tested] = await run({ server: running }, "test", "files");

  expect(listed).toMatch(/^files .*\n {2}tells models, in 47 bytes: Read before you write\.\S*\n$/);
  expect(tested).toContain("It tells models, in 47 bytes: Read before you write.");
});

test("mcp resources lists a server's resources in sanitized lines", async () => {
  const resource = { uri: "note://1", isTemplate: false, description: "One\n\u001B[2Jnote", mediaType: null };

  const listed = await run({ resources: [resource], problems: ["It has more"] }, "resources", "files");
  const none = await run({ servers: [] }, "resources");

  expect(listed).toEqual([0, expect.stringMatching(/^@files:note:\/\/1 +One\S* ?\S*note\n$/), "It has more\n"]);
  expect(listed[1]).not.toContain("\u001B");
  expect(none).toEqual([0, "", "No configured MCP server has a resource\n"]);
});
