/**
 * Starts a real host whose model calls this extension's tools in two conversations, and checks each result in the
 * next request.
 */
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";
import extension from "./src/index.ts";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
const settings = `model = "local/test-model"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }`;
await using host = await createHost({
  config: parseConfig(settings, "check.ts"),
  dataFolder: join(folder.path, "data"),
  cwd: folder.path,
  env: {},
  writeLog: () => {},
  extensions: [extension],
});
const client = createClient(host);

/** Tools that required approval. */
const asked: string[] = [];

/** Makes the model call a tool in a new conversation; returns the request after the call. */
async function requestAfter(name: string, input: object): Promise<unknown> {
  const before = model.requests.length;
  const calls = [{ id: `call of ${name}`, name, arguments: JSON.stringify(input) }];
  model.enqueue({ kind: "tool-calls", calls }, { kind: "text", chunks: ["Done."] });
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  for await (const event of client.sendTurn(conversation.id, { input: `Please ${name}` })) {
    if (event.type === "approval-request") {
      asked.push(event.name);
      const params = { id: conversation.id, approvalId: event.approvalId };
      await client.call(routes.answerApproval, { params, body: { decision: "allow" } });
    }
    if (event.type === "tool-call-end") assert.equal(event.error, undefined);
    if (event.type === "turn-end") assert.equal(event.status, "completed");
  }
  assert.equal(model.requests.length, before + 2);
  return JSON.parse(model.requests[before + 1]?.body ?? "null");
}

const written = await requestAfter("write_note", { title: "otter", text: "likes fish" });
const read = await requestAfter("read_notes", {});

assert.deepEqual(asked, ["write_note"]);
assert.partialDeepStrictEqual(written, {
  tools: [{ function: { name: "read_notes" } }, { function: { name: "write_note" } }],
  messages: [{ role: "tool", tool_call_id: "call of write_note", content: 'Kept "otter"' }],
});
assert.partialDeepStrictEqual(read, {
  messages: [{ role: "tool", tool_call_id: "call of read_notes", content: "otter: likes fish" }],
});

process.stdout.write("03-tool: the model called both tools, and read what an earlier conversation wrote\n");
