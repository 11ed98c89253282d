import type { Migration } from "@incipit/kernel";

/**
 * From one schema of what is stored to the next. Every change of `stored.ts` that a host of before would misread is one, also
 * where nothing has to be rewritten: that host then refuses the data, and does not take it for damaged.
 */
export const migrations: readonly Migration[] = [
  // 2: turns that wait, lists of tools, forks, events of compactions and tools, marks of what is not finished. What a record of
  // before does not say has a default.
  async () => [],
  // 3: requests without the secrets in them, what is left of one that was deleted, what a step was told. As before.
  async () => [],
  // 4: the index of what is archived, which a host of before would not keep true. It is filled beside what else happens.
  async () => [],
  // 5: the index of models, likewise. All is filled in again, the old note of how far that is goes.
  async () => [{ kind: "delete", key: "index-fill:archived" }],
  // 6: texts that conversations were given, which a host of before would leave out of their next prompt. As with 2.
  async () => [],
];
