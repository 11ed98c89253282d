import type { JsonValue } from "@incipit/kernel";
import { systemPromptHandle } from "@incipit/service-contract";
import { openSqliteStorage } from "@incipit/storage-sqlite";
import systemPrompt from "@incipit/system-prompt";
import { createTempFolder, startExtension } from "@incipit/testkit";
import { join } from "node:path";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";

const conversations = 1_000_000;
const distinctTexts = 1_000;
const namespace = "system-prompt/system-prompt";

export async function getPrompt(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  const path = join(folder.path, "data.db");
  const { storage } = openSqliteStorage(path);
  await using _ = storage;
  await using started = await startExtension(systemPrompt, { storage, defaults: { cwd: folder.path } });
  const service = started.service(systemPromptHandle);
  // Equal texts are stored once.
  const records: JsonValue[] = [];
  for (let count = 0; count < distinctTexts; count += 1) {
    await service.construct(String(count), join(folder.path, String(count)));
    const stored = await storage.get(namespace, `resolved:${count}`);
    if (stored === undefined) throw new Error("Nothing was stored");
    records.push(stored.value);
  }
  for (let start = distinctTexts; start < conversations; start += 10_000) {
    const keys = Array.from({ length: Math.min(10_000, conversations - start) }, (_value, index) =>
      String(start + index),
    );
    await storage.atomic(
      [],
      keys.map(
        (key) =>
          ({
            kind: "set",
            namespace,
            key: `resolved:${key}`,
            value: records[Number(key) % distinctTexts] ?? null,
          }) as const,
      ),
    );
  }
  const samples: number[] = [];
  for (let count = 0; count < 5_000; count += 1) {
    const id = String(Math.floor(Math.random() * conversations));
    const startMs = performance.now();
    const text = await service.get(id);
    samples.push(performance.now() - startMs);
    if (text === null) throw new Error(`Conversation ${id} has no prompt`);
  }
  const p99 = percentile(samples, 0.99);
  return [
    {
      subject: "`get` with 1,000,000 conversations stored",
      measured: `p50 ${percentile(samples, 0.5).toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`,
      target: "p99 1 ms",
      isMet: p99 <= 1,
    },
  ];
}
