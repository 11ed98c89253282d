import { heapStats } from "bun:jsc";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { createHost } from "./create-host.ts";
import { parseConfig } from "./config/parse-config.ts";

async function heldResponses(): Promise<number> {
  for (let count = 0; count < 5; count += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    Bun.gc(true);
  }
  return heapStats().objectTypeCounts["Response"] ?? 0;
}

test("a finished turn retains neither its request nor its response", async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const text = `model = "local/m"\n[listen]\nport = 0\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"`;
  await using host = await createHost({
    config: parseConfig(text, "test"),
    dataFolder: folder.path,
    cwd: folder.path,
    env: {},
    writeLog: () => {},
  });
  const client = createClient(host);
  const { id } = (await client.call(routes.createConversation, { body: {} })).conversation;
  const turns = async (): Promise<void> => {
    for (let count = 0; count < 40; count += 1) {
      model.enqueue({ kind: "text", chunks: ["Hello"] });
      const types: string[] = [];
      for await (const { type } of client.sendTurn(id, { input: "Hello" })) types.push(type);
      expect(types.at(-1)).toBe("turn-end");
    }
  };
  await turns();
  const before = await heldResponses();
  await turns();

  // Temporary references of other work disappear by the next check; leaks remain.
  let held = await heldResponses();
  for (let tries = 0; tries < 20 && held - before >= 20; tries += 1) held = await heldResponses();

  expect(held - before).toBeLessThan(20);
});
