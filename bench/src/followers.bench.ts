import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { count, kibibytes } from "./format.ts";
import { startHostProcess } from "./host-process.ts";
import { linesOf } from "./lines-of.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";
import { takeSlowTurn } from "./time-turn.ts";
import { within } from "./within.ts";

const followerCount = 1_000;
const deltas = 100;
const maxBytesEach = 64 * 1024;

const reportSchema = z.object({
  /** Fractional `Date.now()`. */
  firstEndAtMs: z.number(),
  lastEndAtMs: z.number(),
  eventCount: z.int(),
});

export async function followers(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  await using host = await startHostProcess({ folder: folder.path, modelUrl: model.url });
  const { conversation } = await host.client.call(routes.createConversation, { body: {} });
  const chunks = Array.from({ length: deltas }, (_, index) => `word ${index} `);
  const timeSlowTurn = async (): Promise<number> => {
    const startMs = performance.now();
    await takeSlowTurn(host.client, conversation.id, model, { input: "Hello", chunks });
    return performance.now() - startMs;
  };
  const alone: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) alone.push(await timeSlowTurn());
  const before = await host.residentBytes();
  const script = fileURLToPath(import.meta.resolve("./follow-many.ts"));
  await using clients = Bun.spawn(
    [process.execPath, script, host.url, host.token, conversation.id, String(followerCount)],
    // Bun's fetch opens 256 connections by default.
    { env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: String(followerCount + 10) }, stdout: "pipe" },
  );
  const lines = linesOf(clients.stdout);
  const next = async (what: string): Promise<unknown> => {
    const { value } = await within(what, 60_000, () => lines.next());
    return JSON.parse(value ?? "null");
  };
  await next("all followers to be connected");
  const connected = await host.residentBytes();
  const startAtMs = performance.timeOrigin + performance.now();
  await timeSlowTurn();
  const { firstEndAtMs, lastEndAtMs, eventCount } = reportSchema.parse(
    await next("all followers to have the turn"),
  );
  const served = await host.residentBytes();
  const each = [connected, served].map((sizeBytes) => (sizeBytes - before) / followerCount);
  const [firstMs, lastMs] = [firstEndAtMs - startAtMs, lastEndAtMs - startAtMs];
  return [
    {
      subject: `${count(followerCount)} followers of a turn of ${deltas} deltas, each sent when the one before was seen`,
      measured: `${count(eventCount)} events, each once and in order, ${count((eventCount / lastMs) * 1_000)} a second; the turn's end after ${firstMs.toFixed(0)} ms at the first, ${(lastMs - firstMs).toFixed(0)} ms later at the last`,
    },
    {
      subject: "– the same turn with nobody else following",
      measured: `${percentile(alone.slice(10), 0.5).toFixed(0)} ms`,
    },
    {
      subject: "– memory of the host for each follower",
      measured: `${each.map(kibibytes).join(" connected, ")} once they had the turn`,
      target: "64 KiB",
      isMet: Math.max(...each) <= maxBytesEach,
    },
  ];
}
