/** A heartbeat says nothing while all is well, tells what needs attention, and asks no model when there is nothing to do. */
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

/** Wakes it as its time would, and waits for what comes of it. */
async function wake() {
  await client.call(routes.wakeHeartbeat);
  for (const startedAt = performance.now(); performance.now() - startedAt < 30_000;) {
    const { heartbeat } = await client.call(routes.getHeartbeat);
    if (heartbeat.lastWake?.outcome != null) return heartbeat;
  }
  throw new Error("The wake did not end");
}

// Nothing to look after: nobody is asked.
await Bun.write(tasks, "# To look after\n");
await assert.rejects(client.call(routes.wakeHeartbeat), /HEARTBEAT\.md/);
assert.equal(model.requests.length, 0);

// All is well: that is kept, and told to nobody.
await Bun.write(tasks, "# To look after\n\n- Is the disk fuller than 90 %?\n");
model.enqueue({ kind: "text", chunks: ["HEARTBEAT_OK"] });
const quiet = await wake();
assert.equal(quiet.lastWake?.outcome, "quiet");
assert.equal(quiet.lastAlert, null);

// Something is not: the whole of it is kept.
model.enqueue({ kind: "text", chunks: ["The disk is at 93 %. The logs of June are the largest."] });
const alert = await wake();
assert.equal(alert.lastAlert?.reply, "The disk is at 93 %. The logs of June are the largest.");

// The second request is the first one and what came after it: a vendor's cache holds.
const params = { id: alert.conversationId ?? "" };
const { summary } = await client.call(routes.auditConversation, { params });
assert.equal(summary.share, 1);

process.stdout.write("18-heartbeat: quiet while all is well, an alert when not, and free with nothing to do\n");
