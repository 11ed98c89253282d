import { createTempFolder, recordedAgent } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { buildCommand } from "./build-command.ts";
import { spread } from "./format.ts";
import { startHostProcess } from "./host-process.ts";
import { linesOf } from "./lines-of.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";
import { within } from "./within.ts";

const warmUp = 30;
const rounds = 100;
const input = "say Hello";
const messageSchema = z.looseObject({ id: z.number().optional(), error: z.unknown().optional() });

async function timesOf(turn: () => Promise<void>): Promise<readonly number[]> {
  for (let round = 0; round < warmUp; round += 1) await turn();
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startMs = performance.now();
    await turn();
    samples.push(performance.now() - startMs);
  }
  return samples;
}

async function direct(folder: string): Promise<readonly number[]> {
  const [program = "", ...args] = recordedAgent(folder).command;
  const child = Bun.spawn([program, ...args], { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  const lines = linesOf(child.stdout);
  let asked = 0;
  const ask = async (method: string, params: object): Promise<void> => {
    const id = (asked += 1);
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    void child.stdin.flush();
    for (;;) {
      const { done, value } = await lines.next();
      if (done === true) throw new Error("The agent ended");
      const answer = messageSchema.parse(JSON.parse(value));
      if (answer.error !== undefined) throw new Error(`The agent refused: ${value}`);
      if (answer.id === id) return;
    }
  };
  try {
    await ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
    await ask("session/new", { cwd: folder, mcpServers: [] });
    const prompt = [{ type: "text", text: input }];
    return await within("the agent's answers", 60_000, () =>
      timesOf(() => ask("session/prompt", { sessionId: "session-1", prompt })),
    );
  } finally {
    child.kill();
    await child.exited;
  }
}

async function driven(folder: string): Promise<{ readonly first: number; readonly next: readonly number[] }> {
  const place = join(folder, "agent");
  await mkdir(place);
  const settings = `model = "helper/default"\n[agents.helper]\ncommand = ${JSON.stringify(recordedAgent(place).command)}\n`;
  await using host = await startHostProcess({ folder, settings, command: await buildCommand() });
  const { conversation } = await host.client.call(routes.createConversation, { body: {} });
  const turn = async (): Promise<void> => {
    for await (const event of host.client.sendTurn(conversation.id, { input }))
      if (event.type === "turn-end" && event.status !== "completed")
        throw new Error(`A turn ended ${event.status}`);
  };
  const startMs = performance.now();
  await turn();
  return { first: performance.now() - startMs, next: await timesOf(turn) };
}

/** Overhead of the host in a turn of an external agent. */
export async function drivenTurns(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  const [alone, behind] = [join(folder.path, "alone"), join(folder.path, "behind")];
  for (const path of [alone, behind]) await mkdir(path);
  const own = await direct(alone);
  const { first, next } = await driven(behind);
  const addedMs = percentile(next, 0.5) - percentile(own, 0.5);
  return [
    { subject: "a prompt that an agent answers at once, straight into its pipe", measured: spread(own) },
    { subject: "the same as a turn of a conversation, recorded, over HTTP", measured: spread(next) },
    { subject: "– what the host adds", measured: `p50 ${addedMs.toFixed(2)} ms` },
    { subject: "– the first one, which starts the agent", measured: `${first.toFixed(0)} ms` },
  ];
}
