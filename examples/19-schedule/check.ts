/** A task runs at its time exactly once, even if the host was off then. */
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { join } from "node:path";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
const config = parseConfig(
  `model = "local/reporter"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }`,
  "check.ts",
);
const start = () =>
  createHost({ config, dataFolder: join(folder.path, "data"), cwd: folder.path, env: {}, writeLog: () => {} });

/** Returns a schedule's runs, newest first, once `count` have ended. */
async function runsOf(client: Client, id: string, count: number) {
  for (const startedAt = performance.now(); performance.now() - startedAt < 30_000;) {
    const { runs } = await client.call(routes.listScheduleRuns, { params: { id } });
    if (runs.filter(({ endedAt }) => endedAt !== null).length >= count) return runs;
  }
  throw new Error(`${id} did not run`);
}

let soonMs: number;
{
  await using host = await start();
  const client = createClient(host);
  const { schedule } = await client.call(routes.createSchedule, {
    body: { id: "report", task: "What changed yesterday?", cron: "0 7 * * 1-5", timeZone: "Europe/Berlin" },
  });
  assert.ok(schedule.nextAt !== null && Date.parse(schedule.nextAt) > Date.now());

  // Runs it now, to try it out.
  model.enqueue({ kind: "text", chunks: ["Two tests were mended.\nHEARTBEAT_OK"] });
  await client.call(routes.runSchedule, { params: { id: "report" } });
  const [run] = await runsOf(client, "report", 1);
  assert.equal(run?.status, "completed");
  assert.equal(run.quiet, true);
  assert.ok(model.requests[0]?.body.includes("[CRON:report] What changed yesterday?"));

  // A one-time task that becomes due while the host is off.
  soonMs = Date.now() + 3_000;
  await client.call(routes.createSchedule, {
    body: { id: "reminder", task: "Say that the release is today", at: new Date(soonMs).toISOString() },
  });
}
await Bun.sleep(soonMs - Date.now() + 10);

model.enqueue({ kind: "text", chunks: ["The release is today."] });
for (const _ of ["first", "second"]) {
  await using host = await start();
  const [run, ...others] = await runsOf(createClient(host), "reminder", 1);
  assert.equal(run?.reply, "The release is today.");
  assert.deepEqual(others, []);
}
// Two requests: one per task, despite three starts of the host.
assert.equal(model.requests.length, 2);

process.stdout.write("19-schedule: a task ran at its time, once, and the host was away then\n");
