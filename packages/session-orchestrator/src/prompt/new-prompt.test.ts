import type { NamespacedWrite, StorageDriver } from "@incipit/kernel";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createWorld } from "../testing/test-world.ts";
import { hookedStorage, listStored } from "../testing/hooked-storage.ts";

function recordCommits(): { readonly driver: StorageDriver; readonly commits: (readonly NamespacedWrite[])[] } {
  const commits: (readonly NamespacedWrite[])[] = [];
  const driver = hookedStorage({ atomic: (writes) => commits.push(writes) });
  return { driver, commits };
}

async function left(commits: readonly (readonly NamespacedWrite[])[]): Promise<string> {
  const storage = createMemoryStorage();
  for (const writes of commits) await storage.atomic([], writes);
  const prompts = await storage.list("test.prompts/prompts", {});
  const events = await listStored(storage, "event:");
  const shown = events.filter(({ value }) => JSON.stringify(value).includes('"type":"prompt-resolve"'));
  return `${prompts.length} prompts, ${shown.length} events`;
}

test("a crash during a first turn leaves both the prompt and its event, or neither", async () => {
  const { driver, commits } = recordCommits();
  await using world = await createWorld({ storage: driver, prompts: ["told once"] });
  await world.ask("hello");

  const found = await Promise.all(commits.map((_, index) => left(commits.slice(0, index + 1))));
  expect(new Set(found)).toEqual(new Set(["0 prompts, 0 events", "1 prompts, 1 events"]));
});
