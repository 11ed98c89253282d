import type { NamespacedWrite } from "@incipit/kernel";
import { stepSchema } from "@incipit/schema";
import { openSqliteStorage } from "@incipit/storage-sqlite";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { routes, type Client } from "@incipit/transport-contract";
import { join } from "node:path";
import { count } from "./format.ts";
import { dataFolderOf, startHostProcess } from "./host-process.ts";
import { storeConversations } from "./many-conversations.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";
import { timeTurn } from "./time-turn.ts";

const stepCount = 10_000;
const rounds = 5;
const namespace = "session-orchestrator/conversations";

/** Stores a conversation with this many steps: two run in a host, and copies of the second. */
async function storeSteps(folder: string): Promise<string> {
  const id = await storeTwo(folder);
  await using storage = openSqliteStorage(join(dataFolderOf(folder), "incipit.db")).storage;
  const [newest] = await storage.list(namespace, { prefix: `step:${id}:`, reverse: true, limit: 1 });
  const last = stepSchema.parse(newest?.value);
  const writes: NamespacedWrite[] = [];
  for (let number = 2; number < stepCount; number += 1) {
    const parts = last.parts.map((part, index) => ({ ...part, part: `message:${number * 2 - 1 + index}` }));
    const stepId = Bun.randomUUIDv7();
    writes.push({ kind: "set", namespace, key: `step:${id}:${stepId}`, value: { ...last, id: stepId, parts } });
  }
  // As stored by an earlier version, without the sum.
  await storage.atomic([], [...writes, { kind: "delete", namespace, key: `audit:${id}` }]);
  return id;
}

async function storeTwo(folder: string): Promise<string> {
  await using model = await startRecordingModelServer();
  await using host = await startHostProcess({ folder, modelUrl: model.url });
  const { conversation } = await host.client.call(routes.createConversation, { body: {} });
  for (let turn = 0; turn < 2; turn += 1) await timeTurn(host.client, conversation.id, model);
  return conversation.id;
}

async function auditOne(client: Client, id: string): Promise<number> {
  const startMs = performance.now();
  let steps = 0;
  for (let cursor: string | undefined; ;) {
    const query = { limit: 1_000, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.call(routes.auditConversation, { params: { id }, query });
    steps += page.steps.length;
    cursor = page.nextCursor;
    if (cursor !== undefined) continue;
    if (steps !== stepCount || page.summary.steps !== stepCount) throw new Error(`${steps} steps were audited`);
    return performance.now() - startMs;
  }
}

async function auditAll(client: Client): Promise<number> {
  const startMs = performance.now();
  let steps = 0;
  for (let cursor: string | undefined; ;) {
    const query = { limit: 1_000, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.call(routes.auditConversations, { query });
    steps += page.totals.steps;
    cursor = page.nextCursor;
    if (cursor !== undefined) continue;
    if (steps !== stepCount) throw new Error(`${steps} steps were added up`);
    return performance.now() - startMs;
  }
}

async function several(work: () => Promise<number>): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) samples.push(await work());
  return percentile(samples, 0.5);
}

export async function audits(): Promise<readonly Row[]> {
  await using one = await createTempFolder();
  await using many = await createTempFolder();
  const id = await storeSteps(one.path);
  await storeConversations(many.path, stepCount);
  const rows: Row[] = [];
  {
    await using host = await startHostProcess({ folder: one.path });
    const firstMs = await auditOne(host.client, id);
    const laterMs = await several(() => auditOne(host.client, id));
    const summaryMs = await several(async () => {
      const startMs = performance.now();
      await host.client.call(routes.auditConversation, { params: { id }, query: { limit: 1 } });
      return performance.now() - startMs;
    });
    rows.push({
      subject: `audit of a conversation of ${count(stepCount)} steps, each of them`,
      measured: `${laterMs.toFixed(0)} ms; ${firstMs.toFixed(0)} ms the first time in a host, with no sum stored`,
    });
    rows.push({ subject: "– its sum alone", measured: `${summaryMs.toFixed(1)} ms` });
  }
  await using host = await startHostProcess({ folder: many.path });
  const allMs = await several(() => auditAll(host.client));
  rows.push({
    subject: `audit of ${count(stepCount)} conversations of a step each`,
    measured: `${allMs.toFixed(0)} ms`,
  });
  return rows;
}
