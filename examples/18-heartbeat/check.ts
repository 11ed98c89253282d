/** A heartbeat is silent while all is well, alerts when something needs attention, and calls no model without tasks. */
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
await using host = await createHost({
  config: parseConfig(
    `model = "local/careful"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }
heartbeat = { enabled = true, every = "30m" }`,
    "check.ts",
  ),
  dataFolder: join(folder.path, "data"),
  cwd: folder.path,
  env: {},
  writeLog: () => {},
});
const client = createClient(host);
const tasks = join(folder.path, "HEARTBEAT.md");

/** Wakes it and waits for the outcome. */
async function wake() {
  await client.call(routes.wakeHeartbeat);
  for (const startedAt = performance.now(); performance.now() - startedAt < 30_000;) {
    const { heartbeat } = await client.call(routes.getHeartbeat);
    if (heartbeat.lastWake?.outcome != null) return heartbeat;
  }
  throw new Error("The wake did not end");
}

// Without tasks, no model is called.
await Bun.write(tasks, "# To look after\n");
await assert.rejects(client.call(routes.wakeHeartbeat), /HEARTBEAT\.md/);
assert.equal(model.requests.length, 0);

// All is well: recorded without an alert.
await Bun.write(tasks, "# To look after\n\n- Is the disk fuller than 90 %?\n");
model.enqueue({ kind: "text", chunks: ["HEARTBEAT_OK"] });
const quiet = await wake();
assert.equal(quiet.lastWake?.outcome, "quiet");
assert.equal(quiet.lastAlert, null);

// An alert stores the whole reply.
model.enqueue({ kind: "text", chunks: ["The disk is at 93 %. The logs of June are the largest."] });
const alert = await wake();
assert.equal(alert.lastAlert?.reply, "The disk is at 93 %. The logs of June are the largest.");

// The second request extends the first, which hits a vendor's cache.
const params = { id: alert.conversationId ?? "" };
const { summary } = await client.call(routes.auditConversation, { params });
assert.equal(summary.share, 1);

process.stdout.write("18-heartbeat: quiet while all is well, an alert when not, and free with nothing to do\n");
