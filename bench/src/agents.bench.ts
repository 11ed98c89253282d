import { createTempFolder } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildCommand } from "./build-command.ts";
import { spread } from "./format.ts";
import { startHostProcess } from "./host-process.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";

const agentCount = 1_000;
const rounds = 20;
const agent = (number: number): string =>
  `---\nname: agent-${number}\ndescription: Looks after part ${number}\ntools: read_file, search\n---\n\nYou look after part ${number}.\n`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

async function timesOf(work: () => Promise<unknown>): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) samples.push(await timed(work));
  return samples;
}

/** Discovery of 1,000 agent files: cold, unchanged, and with one change, compared with reading the files. */
export async function agents(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  const places = join(folder.path, "agents");
  await mkdir(places, { recursive: true });
  const names = Array.from({ length: agentCount }, (_, number) => `agent-${number}.md`);
  for (const [number, name] of names.entries()) await Bun.write(join(places, name), agent(number));
  await using host = await startHostProcess({ folder: folder.path, command: await buildCommand() });
  const list = (): Promise<unknown> => host.client.call(routes.listProfiles);
  const read = await timesOf(() => Promise.all(names.map((name) => Bun.file(join(places, name)).text())));
  const first = await timed(list);
  const again = await timesOf(list);
  let changed = 0;
  const afterChange = await timesOf(async () => {
    await Bun.write(join(places, "agent-1.md"), agent((changed += 1)));
    await list();
  });
  return [
    { subject: "the files of 1,000 agents, read one beside the other", measured: spread(read) },
    {
      subject: "1,000 agents found for the first time, over HTTP",
      measured: `${first.toFixed(1)} ms, ${(first / percentile(read, 0.5)).toFixed(1)}x of reading them`,
      target: "50 ms",
      isMet: first <= 50,
    },
    {
      subject: "the same found again",
      measured: spread(again),
      target: "p50 at most 50 ms",
      isMet: percentile(again, 0.5) <= 50,
    },
    { subject: "the same when one of them has changed", measured: spread(afterChange) },
  ];
}
