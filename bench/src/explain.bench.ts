import type { ConversationId } from "@incipit/schema";
import { createTempFolder } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { join } from "node:path";
import { count, spread } from "./format.ts";
import { startHostProcess, type HostProcess } from "./host-process.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";

const rounds = 20;
const sizeBytes = 1_000_000;
const line = "Say what you changed, why, and how you know that it works; [if prompt:cwd]then stop.[endif]\n";
const driftCount = 1_000;

async function timesOf(times: number, work: (round: number) => Promise<unknown>): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const startMs = performance.now();
    await work(round);
    samples.push(performance.now() - startMs);
  }
  return samples;
}

async function converse({ client }: HostProcess): Promise<ConversationId> {
  const { id } = (await client.call(routes.createConversation, { body: {} })).conversation;
  for await (const event of client.sendTurn(id, { input: "Hello" })) if (event.type === "turn-end") break;
  return id;
}

/** Explain and preview of 1 MB prompts: one from large files, one from a template of many small parts. */
export async function explains(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await Bun.write(
    join(folder.path, "AGENTS.md"),
    "Read before you write, and say what you did not do. ".repeat(sizeBytes / 52),
  );
  await using host = await startHostProcess({ folder: folder.path });
  const template = line.repeat(Math.floor(sizeBytes / line.length));
  const rows: Row[] = [];
  for (const [name, draft] of [
    ["a file of 1 MB", "[file:AGENTS.md]"],
    [`1 MB in ${count(template.split("[if").length * 2)} parts`, template],
  ] as const) {
    await host.client.call(routes.setSystemPrompt, { body: { template: draft } });
    const id = await converse(host);
    for (const model of ["offline/echo", "openai/gpt-5.2"]) {
      const body = { model };
      await host.client.call(routes.previewSystemPrompt, { body });
      const previews = await timesOf(rounds, () => host.client.call(routes.previewSystemPrompt, { body }));
      rows.push({ subject: `preview over HTTP: ${name}, tokens for ${model}`, measured: spread(previews) });
    }
    const explained = await timesOf(rounds, () => host.client.call(routes.explainConversation, { params: { id } }));
    rows.push({
      subject: `explain of what is kept, over HTTP: ${name}`,
      measured: spread(explained),
      target: "p50 at most 1 s",
      isMet: percentile(explained, 0.5) <= 1_000,
    });
  }
  return rows;
}

/** Drift checks of the prompts of 1,000 conversations, in sequence. */
export async function drifts(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  const agents = join(folder.path, "AGENTS.md");
  const rules = Array.from({ length: 100 }, (_, rule) => `Rule ${rule}: read before you write.\n`);
  await Bun.write(agents, rules.join(""));
  await using host = await startHostProcess({ folder: folder.path });
  const ids: ConversationId[] = [];
  for (let conversation = 0; conversation < driftCount; conversation += 1) ids.push(await converse(host));
  const drift = async (round: number): Promise<void> => {
    await host.client.call(routes.getDrift, { params: { id: ids[round] ?? "" } });
  };
  const same = await timesOf(driftCount, drift);
  await Bun.write(agents, rules.with(50, "Rule 50: write less.\n").join(""));
  const changed = await timesOf(driftCount, drift);
  return [
    {
      subject: `drift of ${count(driftCount)} conversations over HTTP, a file in each; none has drifted`,
      measured: spread(same),
    },
    {
      subject: "– after an edit of the file, which has 100 lines",
      measured: `${spread(changed)}; ${(changed.reduce((sum, time) => sum + time, 0) / 1_000).toFixed(1)} s for all`,
      target: "p99 at most 50 ms",
      isMet: percentile(changed, 0.99) <= 50,
    },
  ];
}
