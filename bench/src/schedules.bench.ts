import type { NamespacedWrite } from "@incipit/kernel";
import { openSqliteStorage } from "@incipit/storage-sqlite";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildCommand } from "./build-command.ts";
import { count, megabytes } from "./format.ts";
import { dataFolderOf, startHostProcess } from "./host-process.ts";
import { percentile } from "./measure.ts";
import { cpuMs } from "./process-cpu.ts";
import type { Row } from "./table.ts";
import { within } from "./within.ts";

const scheduleCount = 100_000;
const namespace = "cron/schedules";
const writesAtOnce = 5_000;
/** Longer than the host's clock check interval. */
const idleMs = 40_000;
const dueCount = 20;

/** A host with many waiting schedules: idle cost, and delay of a due one. */
export async function schedules(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const options = { folder: folder.path, modelUrl: model.url, command: await buildCommand() };
  const few = { idleCpuMs: 0, readyMs: 0, bytes: 0 };
  {
    await using host = await startHostProcess(options);
    const body = { id: "job-0", task: "Look at the backups", cron: "0 3 * * *", timeZone: "Europe/Berlin" };
    await host.client.call(routes.createSchedule, { body });
    few.idleCpuMs = await cpuWhileIdle(host.pid);
  }
  {
    await using host = await startHostProcess(options);
    few.readyMs = host.readyMs;
    few.bytes = await host.residentBytes();
  }
  await storeCopies(folder.path);

  const beginMs = performance.now();
  await using host = await startHostProcess(options);
  const bytes = await host.residentBytes();
  // Answered after removed jobs have been cleaned up.
  await host.client.call(routes.listSchedules, { query: { limit: 1 } });
  const takenMs = performance.now() - beginMs;
  const idleCpuMs = await cpuWhileIdle(host.pid);
  const lateMs: number[] = [];
  for (let index = 0; index < dueCount; index += 1) {
    model.enqueue({ kind: "text", chunks: ["HEARTBEAT_OK"] });
    const dueMs = Math.ceil(Date.now() / 1_000) * 1_000 + 1_000;
    const at = new Date(dueMs).toISOString();
    await host.client.call(routes.createSchedule, { body: { id: `due-${index}`, task: "Now", at } });
    await within("a schedule to run", 30_000, () => model.waitForRequests(index + 1));
    lateMs.push(performance.timeOrigin + (model.requests[index]?.receivedAtMs ?? Number.NaN) - dueMs);
  }
  const startMs = performance.now();
  const { schedules: page } = await host.client.call(routes.listSchedules, { query: { limit: 100 } });
  const listMs = performance.now() - startMs;
  if (page.length !== 100) throw new Error(`The host lists ${page.length} schedules`);

  return [
    {
      subject: `${count(scheduleCount)} schedules that wait: the host's CPU in ${idleMs / 1_000} s`,
      measured: `${idleCpuMs} ms, and ${few.idleCpuMs} ms with one`,
    },
    {
      subject: "– start to ready with them, and memory then",
      measured: `${host.readyMs.toFixed(0)} ms and ${megabytes(bytes)}; with one ${few.readyMs.toFixed(0)} ms and ${megabytes(few.bytes)}`,
    },
    { subject: "– from the start until they are listed", measured: `${takenMs.toFixed(0)} ms` },
    {
      subject: "– from the time of one more to the model's request",
      measured: `p50 ${percentile(lateMs, 0.5).toFixed(1)} ms, p95 ${percentile(lateMs, 0.95).toFixed(1)} ms`,
    },
    { subject: "– a page of 100 of them", measured: `${listMs.toFixed(1)} ms` },
  ];
}

async function cpuWhileIdle(pid: number): Promise<number> {
  await sleep(2_000); // Pending work of the start.
  const before = await cpuMs(pid);
  await sleep(idleMs);
  return (await cpuMs(pid)) - before;
}

/** Stores copies of the only schedule in the host's format: creating them through the API would take minutes. */
async function storeCopies(folder: string): Promise<void> {
  await using storage = openSqliteStorage(join(dataFolderOf(folder), "incipit.db")).storage;
  const rows = (await storage.list(namespace, { limit: 100 })).filter(({ key }) => key.includes("job-0"));
  if (rows.length === 0) throw new Error(`Nothing of a schedule is in "${namespace}"`);
  const ids = Array.from({ length: scheduleCount - 1 }, (_, index) => `job-${index + 1}`);
  const idsAtOnce = Math.ceil(writesAtOnce / rows.length);
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const writes = ids.slice(start, start + idsAtOnce).flatMap((id) =>
      rows.map(({ key, value }): NamespacedWrite => {
        const text = JSON.stringify(value).replaceAll("job-0", id);
        return { kind: "set", namespace, key: key.replaceAll("job-0", id), value: JSON.parse(text) };
      }),
    );
    await storage.atomic([], writes);
  }
}
