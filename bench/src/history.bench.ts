import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { megabytes, spread } from "./format.ts";
import { startHostProcess } from "./host-process.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";
import { modelMs, timeTurn } from "./time-turn.ts";

const turnCount = 1_000;
const input = "Read what changed since yesterday, and say in one paragraph whether the tests still hold. ".repeat(
  2,
);
const reply = "They do: each of the three changes brought its own test, and none of the old ones went. ".repeat(5);

/** Time of a plain request to the model server, as the baseline of a turn. */
async function timePlainRequest(model: RecordingModelServer): Promise<number> {
  const body = model.requests.at(-1)?.body ?? "";
  const from = model.requests.length;
  const startMs = performance.now();
  await (await fetch(`${model.url}/chat/completions`, { method: "POST", body })).text();
  return performance.now() - startMs - modelMs(model, from);
}

export async function history(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const options = { folder: folder.path, modelUrl: model.url };
  const own: number[] = [];
  const memory = new Map<number, number>();
  let id: string;
  {
    await using host = await startHostProcess(options);
    memory.set(0, await host.residentBytes());
    ({ id } = (await host.client.call(routes.createConversation, { body: {} })).conversation);
    for (let turn = 1; turn <= turnCount; turn += 1) {
      model.enqueue({ kind: "text", chunks: [reply] });
      own.push((await timeTurn(host.client, id, model, input)).ownMs);
      if (turn === 1 || turn === 100 || turn % 500 === 0) memory.set(turn, await host.residentBytes());
    }
  }
  await using anew = await startHostProcess(options);
  const readAnewMs = (await timeTurn(anew.client, id, model, input)).ownMs;
  const anewBytes = await anew.residentBytes();
  const plain: number[] = [];
  for (let times = 0; times < 50; times += 1) plain.push(await timePlainRequest(model));
  const atTurn = (turn: number): number => memory.get(turn) ?? Number.NaN;
  const [early, late] = [own.slice(1, 101), own.slice(900)];
  const slower = percentile(late, 0.5) / percentile(early, 0.5);
  const grown = atTurn(turnCount) / atTurn(100);
  return [
    {
      subject: "memory of the host after 100 turns",
      measured: `${megabytes(atTurn(100))} (ready: ${megabytes(atTurn(0))}; after turn 1: ${megabytes(atTurn(1))})`,
      target: "100 MB",
      isMet: atTurn(100) <= 100e6,
    },
    {
      subject: "– after 500 and 1,000 turns of one conversation",
      measured: `${megabytes(atTurn(500))}, ${megabytes(atTurn(turnCount))} (${grown.toFixed(2)} x after 100)`,
      target: "flat",
      isMet: grown <= 1.25,
    },
    {
      subject: "turns 901 to 1,000 of a conversation, the host in its own process",
      measured: `${spread(late)} (${slower.toFixed(2)} x turns 2 to 101)`,
      target: "flat",
      isMet: slower <= 1.25,
    },
    {
      subject: "– the next turn of a host that was started anew",
      measured: `${readAnewMs.toFixed(1)} ms, then ${megabytes(anewBytes)}; turn 1 of the conversation: ${(own[0] ?? Number.NaN).toFixed(1)} ms`,
    },
    {
      subject: "– a plain fetch with its request",
      measured: `${spread(plain)} for ${((model.requests.at(-1)?.body.length ?? 0) / 1e3).toFixed(0)} KB`,
    },
  ];
}
