import type { RecordingModelServer } from "@incipit/testkit";
import type { Client } from "@incipit/transport-contract";

export interface TurnTimes {
  /** From the POST to `turn-end` at the client, without the model's own time. */
  readonly ownMs: number;
  /** From the model's first byte to the first text at the client. */
  readonly firstEventMs: number;
}

/** From the receipt of each request to the last byte of its reply; `from` is the first request. */
export function modelMs(model: RecordingModelServer, from: number): number {
  let sumMs = 0;
  for (const { receivedAtMs, endedAtMs } of model.requests.slice(from)) {
    if (endedAtMs === undefined) throw new Error("A turn ended without a reply of the model");
    sumMs += endedAtMs - receivedAtMs;
  }
  return sumMs;
}

/** @throws unless `completed` with a text. */
export async function timeTurn(
  client: Client,
  id: string,
  model: RecordingModelServer,
  input = "Hello",
): Promise<TurnTimes> {
  const from = model.requests.length;
  const startMs = performance.now();
  let firstMs: number | undefined;
  let endMs: number | undefined;
  for await (const event of client.sendTurn(id, { input }, { signal: AbortSignal.timeout(60_000) })) {
    if (event.type === "text-delta") firstMs ??= performance.now();
    if (event.type !== "turn-end") continue;
    endMs = performance.now();
    if (event.status !== "completed") throw new Error(`A turn ended ${event.status}`);
  }
  const { firstByteAtMs } = model.requests.at(-1) ?? {};
  if (firstMs === undefined || endMs === undefined || firstByteAtMs === undefined)
    throw new Error("A turn ended without a reply of the model");
  return { ownMs: endMs - startMs - modelMs(model, from), firstEventMs: firstMs - firstByteAtMs };
}

const closingEvents = 3;

/**
 * Each delta is sent once the previous was seen, as deltas during a commit are merged. @throws when some were merged
 * nevertheless, or the turn is not `completed`.
 */
export async function takeSlowTurn(
  client: Client,
  id: string,
  model: RecordingModelServer,
  options: { readonly input: string; readonly chunks: readonly string[] },
): Promise<void> {
  const { input, chunks } = options;
  model.enqueue({ kind: "text", chunks, gate: true });
  let seen = 0;
  for await (const event of client.sendTurn(id, { input }, { signal: AbortSignal.timeout(120_000) })) {
    if (event.type === "turn-end" && event.status !== "completed") throw new Error(`A turn ended ${event.status}`);
    if (event.type !== "text-delta") continue;
    seen += 1;
    for (let count = seen < chunks.length ? 1 : closingEvents; count > 0; count -= 1) model.release();
  }
  if (seen !== chunks.length) throw new Error(`${chunks.length} deltas were shown as ${seen}`);
}
