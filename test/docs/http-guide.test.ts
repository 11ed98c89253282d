import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess, sourceCommand } from "../support/host-process.ts";

test("the HTTP guide's commands lead from a new conversation to an approved tool call", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../docs/guide/http.md")).text();
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer({ isStrict: true });
  const config = join(folder.path, "incipit.toml");
  const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
  await Bun.write(config, `model = "local/test"\ntools.workspace = true\n${provider}`);
  const options = { data: join(folder.path, "data"), config, cwd: folder.path, command: sourceCommand };
  await using host = await HostProcess.start(options);
  const input = JSON.stringify({ path: "hello.txt", content: "Hello" });
  model.enqueue(
    { kind: "text", chunks: ["Hello to you"] },
    { kind: "tool-calls", calls: [{ id: "call_1", name: "write_file", arguments: input }] },
    { kind: "text", chunks: ["It is written"] },
  );

  const script = `set -e\nincipit() { echo '${host.token}'; }\n${blocks.join("")}`;
  const run = Bun.spawn(["bash", "-c", script.replaceAll("http://127.0.0.1:4140", host.url)], {
    cwd: folder.path,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ]);

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  for (const fact of [
    `"systemPrompt":"Be brief. You work in ${folder.path}."`,
    "Hello to you",
    '\\"role\\":\\"system\\"',
    '"decision":"allow"',
    "event: turn-end",
    "It is written",
  ])
    expect(stdout).toContain(fact);
  expect(await Bun.file(join(folder.path, "hello.txt")).text()).toBe("Hello");
}, 300_000);
