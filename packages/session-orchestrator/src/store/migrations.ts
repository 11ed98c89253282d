import type { Migration } from "@incipit/kernel";

/**
 * Required for every change of `stored.ts` that an older host would misread, even without rewriting: the older host
 * then rejects the data instead of treating it as damaged.
 */
export const migrations: readonly Migration[] = [
  // 2: waiting turns, tool lists, forks, compaction and tool events, marks of unfinished conversations. Missing fields
  // have defaults.
  async () => [],
  // 3: redacted requests, marks of deleted requests, facts of a step's input. Missing fields have defaults.
  async () => [],
  // 4: the archive index, which an older host would not maintain. Filled in the background.
  async () => [],
  // 5: the model index, likewise. Filled again from the start, so the old progress record is deleted.
  async () => [{ kind: "delete", key: "index-fill:archived" }],
  // 6: system messages of conversations, which an older host would omit from the next prompt. As 2.
  async () => [],
];
