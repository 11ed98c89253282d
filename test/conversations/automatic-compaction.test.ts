import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess, incipit } from "../support/host-process.ts";

const reportedTokens = 25;

test("[never-half] a compaction cut off by SIGKILL changes nothing, and the next turn repeats it", async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const options = { data: join(folder.path, "data"), config: join(folder.path, "incipit.toml"), cwd: folder.path };
  await Bun.write(
    options.config,
    `model = "local/test"\n[compaction]\nshare = 0.5\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\ncontext_window = ${2 * reportedTokens}\n`,
  );
  const killed = await HostProcess.start(options);
  const { id } = await killed.createConversation();
  await killed.turn(id, { input: "one" });
  model.enqueue({ kind: "never" });
  const prefer = { prefer: "respond-async" };
  await killed.json(`/conversations/${id}/turns`, { body: { input: "two" }, headers: prefer });
  await model.waitForRequests(2);
  await killed.kill("SIGKILL");

  await using _ = await HostProcess.start(options);
  model.enqueue({ kind: "text", chunks: ["SUMMARY"] });
  const command = ["-s", id, "three", "--data", options.data, "--config", options.config];
  const { stderr, exitCode } = await incipit(command, { cwd: folder.path, home: folder.path });
  const said = model.requests.map(({ body }) =>
    ["one", "two", "three", "SUMMARY", "Sum up"].filter((text) => body.includes(text)),
  );

  expect(said).toEqual([["one"], ["one", "Sum up"], ["one", "Sum up"], ["two", "three", "SUMMARY"]]);
  expect(exitCode).toBe(0);
  expect(stderr).toStartWith("The last turn was cut off when the host ended.");
  expect(stderr).toEndWith("\nThe conversation has grown long: it is summed up first\n");
}, 300_000);

test("a conversation compacts automatically with the catalogue's context window, without configuration", async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer({ isStrict: true, wire: "openai-responses" });
  const config = join(folder.path, "incipit.toml");
  // The smallest available window: 8,192 tokens.
  await Bun.write(
    config,
    `model = "openai/gpt-4"\n[providers.openai]\nkind = "openai"\nbase_url = "${model.urlOf("openai-responses")}"\n`,
  );
  const env = { OPENAI_API_KEY: "key-0123456789" };
  await using host = await HostProcess.start({ data: join(folder.path, "data"), config, cwd: folder.path, env });
  const { id } = await host.createConversation();
  model.enqueue(
    { kind: "text", chunks: ["some"], usage: { inputTokens: 6_000, outputTokens: 500 } },
    { kind: "text", chunks: ["full"], usage: { inputTokens: 6_500, outputTokens: 500 } },
    { kind: "text", chunks: ["SUMMARY"] },
  );

  const turns = [];
  for (const input of ["one", "two", "three"]) turns.push(await host.turn(id, { input }));

  const compacted = turns.map((events) => events.filter(({ type }) => type === "compaction-end").length);
  expect(compacted).toEqual([0, 0, 1]);
  expect(model.requests.at(-1)?.body).toContain("SUMMARY");
}, 300_000);
