import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { atTerminal } from "../support/at-terminal.ts";
import { HostProcess, incipit, testedCommand } from "../support/host-process.ts";

const hostFolder = join(import.meta.dir, "../../packages/host-bin");
const everythingServer = Bun.resolveSync("@modelcontextprotocol/server-everything/dist/index.js", hostFolder);

test("[server-resources] incipit lists resources and sends those named in a question, not in piped text", async () => {
  await using scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  const model = scope.use(await startRecordingModelServer({ isStrict: true }));
  const home = await realpath(folder.path);
  const cwd = join(home, "work");
  await Bun.write(join(cwd, "a.txt"), "See @all:demo://attached");
  const config = join(home, "incipit.toml");
  const server = `[mcp.servers.all]\ncommand = "${process.execPath}"\nargs = ["${everythingServer}", "stdio"]\n`;
  const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
  await Bun.write(config, `model = "local/test"\n${provider}${server}`);
  const data = join(home, "data");
  scope.use(await HostProcess.start({ data, config, cwd }));
  const run = (input: string | undefined, ...words: readonly string[]): ReturnType<typeof incipit> =>
    incipit([...words, "--data", data, "--config", config], {
      cwd,
      home,
      ...(input === undefined ? {} : { input }),
    });

  const listed = await run(undefined, "mcp", "resources");
  const asked = await run(
    "@all:demo://piped",
    "Explain @all:demo://resource/static/document/features.md",
    "--file",
    "a.txt",
  );
  const sent = model.requests.at(-1)?.body ?? "";
  const refused = await run(undefined, "Explain @all:demo://nowhere");
  const prompt = await run(undefined, "/all__args-prompt Rome");
  const filled = model.requests.at(-1)?.body;
  const chat = [...testedCommand, "chat", "--data", data, "--config", config];
  await atTerminal({
    command: chat,
    cwd,
    home,
    answers: [
      ["> ", "Explain @all:demo://resource/dynamic/text/7\r"],
      ["> ", "\u0004"],
    ],
  });
  const typed = model.requests.at(-1)?.body;
  const piped = await run("Explain @all:demo://nowhere\n", "chat");

  expect(listed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(listed.stdout).toMatch(/^@all:demo:\/\/resource\/static\/document\/features\.md +text\/markdown +\S/m);
  expect(asked.exitCode).toBe(0);
  expect(sent).toContain("@all:demo://resource/static/document/features.md (text/markdown):");
  expect(sent).toContain("@all:demo://piped");
  expect(sent).toContain("See @all:demo://attached");
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('has no resource "demo://nowhere"'),
  });
  expect(prompt.exitCode).toBe(0);
  expect(filled).toContain("What's weather in Rome?");
  expect(typed).toContain("@all:demo://resource/dynamic/text/7 (text/plain):");
  expect(piped.exitCode).toBe(0);
  expect(model.requests.at(-1)?.body).toContain("Explain @all:demo://nowhere");
  expect(model.requests).toHaveLength(4);
});
