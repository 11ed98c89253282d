import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { count, kibibytes } from "./format.ts";
import { startHostProcess } from "./host-process.ts";
import { linesOf } from "./lines-of.ts";
import type { Row } from "./table.ts";
import { timeTurn } from "./time-turn.ts";
import { within } from "./within.ts";

const followerCount = 1_000;
const deltas = 100;
const maxBytesEach = 64 * 1024;

const reportSchema = z.object({
  /** When a follower had its last event, as `Date.now()` counts, to fractions. */
  firstEndAtMs: z.number(),
  lastEndAtMs: z.number(),
  /** Of all followers. */
  eventCount: z.int(),
});

/** One turn of so many deltas, followed by so many clients; they are a process of their own. */
export async function followers(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  await using host = await startHostProcess({ folder: folder.path, modelUrl: model.url });
  const { conversation } = await host.client.call(routes.createConversation, { body: {} });
  const takeTurn = (): ReturnType<typeof timeTurn> => {
    model.enqueue({ kind: "text", chunks: Array.from({ length: deltas }, (_, index) => `word ${index} `) });
    return timeTurn(host.client, conversation.id, model);
  };
  const alone: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) alone.push((await takeTurn()).ownMs);
  const before = await host.residentBytes();
  const script = fileURLToPath(import.meta.resolve("./follow-many.ts"));
  await using clients = Bun.spawn(
    [process.execPath, script, host.url, host.token, conversation.id, String(followerCount)],
    // Bun's fetch opens 256 connections at once, unless it is told otherwise.
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
  await takeTurn();
  const { firstEndAtMs, lastEndAtMs, eventCount } = reportSchema.parse(
    await next("all followers to have the turn"),
  );
  const served = await host.residentBytes();
  const each = [connected, served].map((sizeBytes) => (sizeBytes - before) / followerCount);
  const most = Math.max(...each);
  const lastMs = lastEndAtMs - startAtMs;
  return [
    {
      subject: `${count(followerCount)} followers of a turn of ${deltas} deltas`,
      measured: `${count(eventCount)} events, each once and in order; the end of the turn after ${(firstEndAtMs - startAtMs).toFixed(0)} ms at the first, ${lastMs.toFixed(0)} ms at the last: ${count((eventCount / lastMs) * 1_000)} events a second`,
    },
    {
      subject: "– memory of the host for each of them",
      measured: `${each.map(kibibytes).join(" connected, ")} once they had the turn`,
      target: "64 KiB",
      isMet: most <= maxBytesEach,
    },
    {
      subject: "– the same turn with nobody else following",
      measured: `${Math.min(...alone.slice(10)).toFixed(1)} ms at best`,
    },
  ];
}
