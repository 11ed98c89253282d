import { createHost, parseConfig, type RunningHost } from "@incipit/host-bin";
import { systemPromptHandle } from "@incipit/service-contract";
import {
  createGitRepository,
  createTempFolder,
  startRecordingModelServer,
  type RecordingModelServer,
} from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { join } from "node:path";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";

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

interface TurnTimes {
  /** Beside the time between the model's receipt of the request and its last byte. */
  readonly ownMs: number;
  readonly firstEventMs: number;
}

async function timeTurn(client: Client, id: string, model: RecordingModelServer): Promise<TurnTimes> {
  const startMs = performance.now();
  let firstMs: number | undefined;
  for await (const event of client.sendTurn(id, { input: "Hello" }))
    if (event.type === "text-delta") firstMs ??= performance.now();
  const totalMs = performance.now() - startMs;
  const request = model.requests.at(-1);
  const modelMs = (request?.endedAtMs ?? 0) - (request?.receivedAtMs ?? 0);
  return { ownMs: totalMs - modelMs, firstEventMs: (firstMs ?? 0) - (request?.firstByteAtMs ?? 0) };
}

async function timePlain(model: RecordingModelServer): Promise<number> {
  const startMs = performance.now();
  const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hello" }] });
  await (await fetch(`${model.url}/chat/completions`, { method: "POST", body })).text();
  const request = model.requests.at(-1);
  return performance.now() - startMs - ((request?.endedAtMs ?? 0) - (request?.receivedAtMs ?? 0));
}

function spread(samples: readonly number[]): string {
  return `p50 ${percentile(samples, 0.5).toFixed(2)} ms, p99 ${percentile(samples, 0.99).toFixed(2)} ms`;
}

export async function turns(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  await using host = await startHost(join(folder.path, "data"), model, folder.path);
  const client = createClient(host);
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  const times: TurnTimes[] = [];
  const plain: number[] = [];
  for (let turn = 0; turn < 1_000; turn += 1) {
    times.push(await timeTurn(client, conversation.id, model));
    if (turn % 10 === 0) plain.push(await timePlain(model));
  }
  const bodies = model.requests
    .map(({ body }) => body)
    .filter((body) => !body.includes('"content":"Hello"}]}') || body.includes("stream_options"));
  const prefixes = bodies
    .slice(1)
    .map((body, index) => (body.startsWith(bodies[index]?.slice(0, -2) ?? "\u0000") ? 1 : 0));
  const reused = prefixes.reduce<number>((sum, one) => sum + one, 0) / prefixes.length;
  const own = (from: number, to: number): readonly number[] => times.slice(from, to).map(({ ownMs }) => ownMs);
  const all = own(20, 1_000);
  const flat = percentile(own(900, 1_000), 0.5) / percentile(own(20, 120), 0.5);
  const first = times.slice(20).map(({ firstEventMs }) => firstEventMs);
  return [
    {
      subject: "a turn over HTTP, beside the model's own time",
      measured: spread(all),
      target: "p50 1 ms, p99 5 ms",
      isMet: percentile(all, 0.5) <= 1 && percentile(all, 0.99) <= 5,
    },
    { subject: "– the same at turns 21 to 120", measured: spread(own(20, 120)) },
    {
      subject: "– the same at turns 901 to 1,000",
      measured: `${spread(own(900, 1_000))} (${flat.toFixed(2)} x)`,
      target: "flat",
      isMet: flat <= 1.25,
    },
    { subject: "– a plain fetch to the same model server", measured: spread(plain) },
    {
      subject: "first event after the model's first byte",
      measured: spread(first),
      target: "1 ms",
      isMet: percentile(first, 0.5) <= 1,
    },
    {
      subject: "prefix reused between two steps",
      measured: `${(reused * 100).toFixed(0)} % of ${prefixes.length} steps`,
      target: "100 %",
      isMet: reused === 1,
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
  const ours: number[] = [];
  const git: number[] = [];
  for (let count = 0; count < 60; count += 1) {
    let startMs = performance.now();
    await service.construct(`conversation-${count}`, work);
    ours.push(performance.now() - startMs);
    startMs = performance.now();
    await repository.git("status", "--short");
    git.push(performance.now() - startMs);
  }
  const overheadMs = percentile(ours, 0.5) - percentile(git, 0.5);
  return [
    {
      subject: "construct, beside `git status` alone",
      measured: `${percentile(ours, 0.5).toFixed(2)} ms and ${percentile(git, 0.5).toFixed(2)} ms: ${overheadMs.toFixed(2)} ms more`,
      target: "1 ms more than its slowest read",
      isMet: overheadMs <= 1,
    },
  ];
}

export async function start(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  const main = join(import.meta.dir, "../../packages/host-bin/src/main.ts");
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder.path };
  const ready: number[] = [];
  const bare: number[] = [];
  for (let count = 0; count < 11; count += 1) {
    let startMs = performance.now();
    const child = Bun.spawn(
      [process.execPath, main, "serve", "--port", "0", "--json", "--data", join(folder.path, "data")],
      { cwd: folder.path, env, stdout: "pipe" },
    );
    await child.stdout.getReader().read();
    ready.push(performance.now() - startMs);
    child.kill("SIGTERM");
    await child.exited;
    startMs = performance.now();
    await Bun.spawn([process.execPath, "-e", ""], { cwd: folder.path, env }).exited;
    bare.push(performance.now() - startMs);
  }
  const medianMs = percentile(ready.slice(1), 0.5);
  return [
    {
      subject: "start to ready, warm",
      measured: `${medianMs.toFixed(0)} ms (an empty Bun process: ${percentile(bare, 0.5).toFixed(0)} ms)`,
      target: "100 ms",
      isMet: medianMs <= 100,
    },
  ];
}
