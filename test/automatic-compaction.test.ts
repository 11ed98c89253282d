import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess, incipit } from "./host-process.ts";

/** What the recording server says that each call took. */
const reportedTokens = 25;

test("[never-half] a compaction that SIGKILL cuts off changes nothing, and the next turn makes it up", async () => {
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
}, 30_000);
