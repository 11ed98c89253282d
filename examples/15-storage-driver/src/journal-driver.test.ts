import { createTempFolder, storageConformance } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { JournalDriver } from "./journal-driver.ts";

storageConformance("acme.journal", {
  open: async () => {
    const folder = await createTempFolder();
    const driver = new JournalDriver(join(folder.path, "journal"));
    return Object.assign(driver, {
      async [Symbol.asyncDispose]() {
        driver[Symbol.dispose]();
        await folder[Symbol.asyncDispose]();
      },
    });
  },
});

test("JournalDriver restores commits after a restart and ignores a truncated line", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "journal");
  const set = { kind: "set", namespace: "a", key: "k", value: "é" } as const;
  {
    using before = new JournalDriver(path);
    await before.atomic([], [set]);
    await before.atomic([], [{ kind: "set", namespace: "a", key: "gone", value: 1 }]);
    await before.atomic([], [{ kind: "delete", namespace: "a", key: "gone" }]);
  }
  await appendFile(path, '{"version":4,"writes":[{"kind":"set"');

  using after = new JournalDriver(path);

  expect(await after.list("a", {})).toEqual([{ key: "k", value: "é", version: 1 }]);
  expect(await after.atomic([{ namespace: "a", key: "k", version: 1 }], [set])).toEqual({
    kind: "committed",
    version: 4,
  });
});
