import { createHost, parseConfig, type RunningHost } from "@incipit/host-bin";
import { systemPromptHandle } from "@incipit/service-contract";
import {
  createGitRepository,
  createTempFolder,
  startRecordingModelServer,
  type RecordingModelServer,
} from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { join } from "node:path";
import { spread } from "./format.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";
import { timeTurn, type TurnTimes } from "./time-turn.ts";

async function startHost(data: string, model: RecordingModelServer, cwd: string): Promise<RunningHost> {
  const text = `model = "local/m"\n[listen]\nport = 0\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"`;
  return createHost({
    config: parseConfig(text, "bench"),
    dataFolder: data,
    cwd,
    env: {},
    writeLog: () => {},
    logLevel: "error",
  });
}

async function timePlain(model: RecordingModelServer): Promise<number> {
  const startMs = performance.now();
  const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hello" }] });
  await (await fetch(`${model.url}/chat/completions`, { method: "POST", body })).text();
  const tookMs = performance.now() - startMs;
  const { receivedAtMs = Number.NaN, endedAtMs = Number.NaN } = model.requests.at(-1) ?? {};
  return tookMs - (endedAtMs - receivedAtMs);
}

/** The next body continues in its place. */
const closing = "]}";

/** Counts the bytes that each request shares with the previous one, without its closing brackets. */
function countReused(bodies: readonly string[]): { readonly reused: number; readonly total: number } {
  let reused = 0;
  let total = 0;
  for (const [index, next] of bodies.slice(1).entries()) {
    const body = bodies[index] ?? "";
    if (!body.endsWith(closing)) throw new Error(`A body ends otherwise than with ${closing}`);
    const [earlier, later] = [Buffer.from(body.slice(0, -closing.length)), Buffer.from(next)];
    const isWhole = later.subarray(0, earlier.length).equals(earlier);
    const differsAt = isWhole ? earlier.length : earlier.findIndex((byte, at) => byte !== later[at]);
    reused += differsAt;
    total += earlier.length;
  }
  return { reused, total };
}

/** The first turns run uncompiled code. */
const warmUpTurns = 20;

export async function turns(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  await using plainModel = await startRecordingModelServer();
  await using host = await startHost(join(folder.path, "data"), model, folder.path);
  const client = createClient(host);
  // Turn 1 of the measured conversation is not the process's first.
  const { conversation: other } = await client.call(routes.createConversation, { body: {} });
  for (let turn = 0; turn < warmUpTurns; turn += 1) await timeTurn(client, other.id, model);
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  const times: TurnTimes[] = [];
  const plain: number[] = [];
  for (let turn = 0; turn < 1_000; turn += 1) {
    times.push(await timeTurn(client, conversation.id, model));
    if (turn % 10 === 0) plain.push(await timePlain(plainModel));
  }
  const { reused, total } = countReused(model.requests.slice(warmUpTurns).map(({ body }) => body));
  const own = times.map(({ ownMs }) => ownMs);
  const first = times.map(({ firstEventMs }) => firstEventMs);
  const early = own.slice(1, 101);
  const late = own.slice(900);
  const flat = percentile(late, 0.5) / percentile(early, 0.5);
  const at = (turn: number): string => `${(own[turn - 1] ?? Number.NaN).toFixed(2)} ms`;
  return [
    {
      subject: "a turn over HTTP, beside the model's own time",
      measured: spread(own),
      target: "p50 1 ms, p99 5 ms",
      isMet: percentile(own, 0.5) <= 1 && percentile(own, 0.99) <= 5,
    },
    { subject: "– turn 1 (it constructs the prompt), 100, 1,000", measured: [1, 100, 1_000].map(at).join(", ") },
    { subject: "– turns 2 to 101", measured: spread(early) },
    { subject: "– turns 451 to 550", measured: spread(own.slice(450, 550)) },
    {
      subject: "– turns 901 to 1,000",
      measured: `${spread(late)} (${flat.toFixed(2)} x turns 2 to 101)`,
      target: "flat",
      isMet: flat <= 1.25,
    },
    { subject: "– a plain fetch to such a model server", measured: spread(plain) },
    {
      subject: "first text after the model's first byte",
      measured: spread(first),
      target: "1 ms",
      isMet: percentile(first, 0.5) <= 1,
    },
    {
      subject: "prefix reused between two steps",
      measured: `${((reused / total) * 100).toFixed(2)} % of ${total.toLocaleString("en")} bytes`,
      target: "100 % of the bytes",
      isMet: reused === total,
    },
  ];
}

export async function construct(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const work = join(folder.path, "work");
  const repository = await createGitRepository(work, { "AGENTS.md": "x".repeat(20_000) });
  await using host = await startHost(join(folder.path, "data"), model, work);
  const service = host.kernel.service(systemPromptHandle);
  if (service === undefined) throw new Error("There is no prompt builder");
  await service.setTemplate("[file:AGENTS.md] [git:branch] [git:status] [system:time] [prompt:cwd]");
  const alone = {
    "`AGENTS.md`": () => Bun.file(join(work, "AGENTS.md")).text(),
    "`git rev-parse`": () => repository.git("rev-parse", "--abbrev-ref", "HEAD"),
    "`git status`": () => repository.git("status", "--short"),
  } as const;
  const ours: number[] = [];
  const reads = new Map<string, number[]>(Object.keys(alone).map((name) => [name, []]));
  for (let count = 0; count < 60; count += 1) {
    const startMs = performance.now();
    await service.construct(`conversation-${count}`, work);
    ours.push(performance.now() - startMs);
    for (const [name, read] of Object.entries(alone)) {
      const readStartMs = performance.now();
      await read();
      reads.get(name)?.push(performance.now() - readStartMs);
    }
  }
  const medians = [...reads].map(([name, samples]) => ({ name, ms: percentile(samples, 0.5) }));
  const slowest = medians.toSorted((a, b) => b.ms - a.ms)[0] ?? { name: "", ms: Number.NaN };
  const overheadMs = percentile(ours, 0.5) - slowest.ms;
  return [
    {
      subject: "construct, beside the slowest of its reads alone",
      measured: `${percentile(ours, 0.5).toFixed(2)} ms, and ${slowest.ms.toFixed(2)} ms for ${slowest.name}: ${overheadMs.toFixed(2)} ms more`,
      target: "1 ms more than its slowest read",
      isMet: overheadMs <= 1,
    },
  ];
}
