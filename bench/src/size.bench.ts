import { createTempFolder, startRecordingModelServer, type TempFolder } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { count } from "./format.ts";
import { dataFolderOf, startHostProcess } from "./host-process.ts";
import type { Row } from "./table.ts";
import { takeSlowTurn } from "./time-turn.ts";

const input = "x".repeat(100);
const replyLength = 4_000;

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Measured after the host has ended. */
async function bytesPerTurn(folder: TempFolder, turns: number, chunkCount: number): Promise<number> {
  await using model = await startRecordingModelServer();
  const options = { folder: folder.path, modelUrl: model.url };
  let id: string;
  const take = async (times: number): Promise<number> => {
    {
      await using host = await startHostProcess(options);
      id ??= (await host.client.call(routes.createConversation, { body: {} })).conversation.id;
      for (let turn = 0; turn < times; turn += 1) {
        const chunks = Array.from({ length: chunkCount }, () => "y".repeat(replyLength / chunkCount));
        await takeSlowTurn(host.client, id, model, { input, chunks });
      }
    }
    return sizeOf(dataFolderOf(folder.path));
  };
  const before = await take(1);
  return ((await take(turns)) - before) / turns;
}

export async function size(): Promise<readonly Row[]> {
  const measure = async (turns: number, chunkCount: number): Promise<number> => {
    await using folder = await createTempFolder();
    return await bytesPerTurn(folder, turns, chunkCount);
  };
  const [short, long, deltas] = [await measure(100, 1), await measure(500, 1), await measure(4, 1_000)];
  return [
    {
      subject: `storage of a turn with ${input.length} bytes asked and ${count(replyLength)} bytes answered`,
      measured: `${count(short)} bytes in each of 100 turns, ${count(long)} in each of 500`,
    },
    {
      subject: "– the same answer in 1,000 deltas, none of which came while another one was stored",
      measured: `${count(deltas)} bytes (${(deltas / short).toFixed(1)} x)`,
    },
  ];
}
