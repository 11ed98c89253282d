import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { count, megabytes } from "./format.ts";
import { startHostProcess, type HostProcess } from "./host-process.ts";
import { percentile, takeTurns } from "./measure.ts";
import type { Row } from "./table.ts";
import { timeTurn } from "./time-turn.ts";

const eventCount = 10_000;
const rounds = 7;

interface Replay {
  readonly firstMs: number;
  readonly allMs: number;
  readonly sizeBytes: number;
}

/** Only finds the last event's number, to exclude the client's own processing. */
async function replay({ url, token }: HostProcess, id: string): Promise<Replay> {
  const startMs = performance.now();
  const response = await fetch(`${url}/conversations/${id}/events?after=0`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(60_000),
  });
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  const decoder = new TextDecoder();
  let [firstMs, sizeBytes, tail] = [0, 0, ""];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The stream ended before event ${eventCount}`);
    sizeBytes += value.length;
    tail = tail.slice(-100) + decoder.decode(value, { stream: true });
    if (firstMs === 0 && tail.includes("id: 1\n")) firstMs = performance.now() - startMs;
    if (!tail.includes(`id: ${eventCount}\n`)) continue;
    const allMs = performance.now() - startMs;
    await reader.cancel();
    return { firstMs, allMs, sizeBytes };
  }
}

/** Checks that each number occurs once, in order. */
async function check({ client }: HostProcess, id: string): Promise<void> {
  let seq = 0;
  for await (const event of client.followEvents(id, { afterSeq: 0, signal: AbortSignal.timeout(60_000) })) {
    if (event.seq !== seq + 1) throw new Error(`Event ${seq} is followed by ${event.seq}`);
    seq = event.seq;
    if (seq === eventCount) return;
  }
}

export async function replays(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  await using host = await startHostProcess({ folder: folder.path, modelUrl: model.url });
  const { conversation } = await host.client.call(routes.createConversation, { body: {} });
  for (let lastSeq = 0; lastSeq < eventCount;) {
    await timeTurn(host.client, conversation.id, model);
    if (model.requests.length % 50 !== 0) continue;
    const { conversation: now } = await host.client.call(routes.getConversation, {
      params: { id: conversation.id },
    });
    lastSeq = now.lastSeq;
  }
  await check(host, conversation.id);
  const first: number[] = [];
  const sizes: number[] = [];
  const samples = await takeTurns(
    {
      all: async () => {
        const { firstMs, allMs, sizeBytes } = await replay(host, conversation.id);
        first.push(firstMs);
        sizes.push(sizeBytes);
        return allMs;
      },
    },
    { rounds, warmUpRounds: 1 },
  );
  const allMs = percentile(samples.get("all") ?? [], 0.5);
  return [
    {
      subject: `replay of ${count(eventCount)} events`,
      measured: `${allMs.toFixed(0)} ms, ${count((eventCount / allMs) * 1_000)} events a second (${megabytes(percentile(sizes, 0.5))}); the first after ${percentile(first.slice(1), 0.5).toFixed(1)} ms`,
    },
  ];
}
