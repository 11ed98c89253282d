import { sampleCount } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { EndpointWorld, type EndpointCounts } from "./endpoint-world.ts";

/** `ENDPOINT_CONVERSATIONS=20000` runs in groups of `ENDPOINT_PER_FOLDER`; `ENDPOINT_SEED=N` repeats a run. */
const conversations = Number(process.env["ENDPOINT_CONVERSATIONS"] ?? sampleCount(100));
const seed = Number(process.env["ENDPOINT_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const perFolder = Number(process.env["ENDPOINT_PER_FOLDER"] ?? 100);

test(
  "[never-lost] [byte-prefix] a conversation continues with valid requests after any endpoint failure",
  async () => {
    process.stderr.write(`ENDPOINT_SEED=${seed}\n`);
    const folders = Math.ceil(conversations / perFolder);
    const counts: EndpointCounts[] = [];
    for (let folder = 0; folder < folders; folder += 1) {
      const folderSeed = seed + folder * 1_000_003;
      try {
        await using world = await EndpointWorld.begin(
          folderSeed,
          Math.min(perFolder, conversations - folder * perFolder),
        );
        await world.round(false);
        await world.round(true);
        await world.round(true);
        counts.push(await world.end());
        process.stderr.write(`${folder + 1} of ${folders} folders\n`);
      } catch (cause) {
        throw new Error(
          `ENDPOINT_SEED=${folderSeed} ENDPOINT_CONVERSATIONS=${perFolder} ENDPOINT_PER_FOLDER=${perFolder}`,
          { cause },
        );
      }
    }
    const total = (name: keyof EndpointCounts): number => counts.reduce((sum, count) => sum + count[name], 0);
    const names = ["conversations", "kills", "requests", "overflows"] as const;
    process.stderr.write(`${names.map((name) => `${total(name)} ${name}`).join(", ")}\n`);
    expect(total("conversations")).toBe(conversations);
    for (const name of names) expect(total(name)).toBeGreaterThan(0);
  },
  600_000 + conversations * 5_000,
);
