import { createTempFolder } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { buildCommand } from "./build-command.ts";
import { count, megabytes } from "./format.ts";
import { startHostProcess } from "./host-process.ts";
import { linesOf } from "./lines-of.ts";
import { cpuMs } from "./process-cpu.ts";
import type { Row } from "./table.ts";
import { within } from "./within.ts";

const conversations = 1_000;
const seconds = 15;
const maxP99Ms = 100;
const maxBytes = 200e6;

const reportSchema = z.object({
  saidCount: z.int(),
  seenCount: z.int(),
  spokeMs: z.number(),
  countedCount: z.int(),
  p50Ms: z.number(),
  p99Ms: z.number(),
});

export async function streams(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  const script = fileURLToPath(import.meta.resolve("./stream-many.ts"));
  await using others = Bun.spawn([process.execPath, script, String(conversations), String(seconds)], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = linesOf(others.stdout);
  const next = async (what: string): Promise<string> => {
    const { value } = await within(what, 120_000, () => lines.next());
    if (value === undefined) throw new Error(`The models and readers ended before ${what}`);
    return value;
  };
  const modelUrl = await next("the models");
  await using host = await startHostProcess({ folder: folder.path, modelUrl, command: await buildCommand() });
  const ids: string[] = [];
  for (let index = 0; index < conversations; index += 1)
    ids.push((await host.client.call(routes.createConversation, { body: {} })).conversation.id);
  await others.stdin.write(`${JSON.stringify({ url: host.url, token: host.token, ids })}\n`);
  await others.stdin.flush();
  await next("all conversations to stream");
  const startCpuMs = await cpuMs(host.pid);
  await Bun.sleep(seconds * 900);
  const busyMs = (await cpuMs(host.pid)) - startCpuMs;
  const sizeBytes = await host.residentBytes();
  const report = reportSchema.parse(JSON.parse(await next("all turns to end")));
  const { saidCount, seenCount, spokeMs, countedCount, p50Ms, p99Ms } = report;
  if (seenCount !== saidCount) throw new Error(`${saidCount} deltas were said, and ${seenCount} seen`);
  const secondly = countedCount / (spokeMs / 1_000);
  return [
    {
      subject: `${count(conversations)} conversations that stream 20 deltas a second, each with a reader: from model to reader`,
      measured: `p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms; ${count(secondly)} deltas a second, all ${count(saidCount)} seen once`,
      target: `p99 ${maxP99Ms} ms`,
      isMet: p99Ms <= maxP99Ms,
    },
    {
      subject: "– the host's CPU for a delta, of both processors",
      measured: `${((busyMs * 1_000) / (secondly * seconds * 0.9)).toFixed(0)} µs, ${((busyMs / (seconds * 900)) * 100).toFixed(0)} %`,
    },
    {
      subject: "– memory of the host",
      measured: megabytes(sizeBytes),
      target: "200 MB",
      isMet: sizeBytes <= maxBytes,
    },
  ];
}
