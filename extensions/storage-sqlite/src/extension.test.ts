import { storageDriverHandle } from "@incipit/kernel";
import { storageBackupHandle, storageErasureHandle, storageReportHandle } from "@incipit/service-contract";
import { startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";
import { createSqliteFolder, set } from "./testing/sqlite-folder.ts";

test("storage-sqlite reports each damaged file and the newest one's reason", async () => {
  await using world = await createSqliteFolder();
  const { path } = world;
  const earlier = `${path}.damaged-20250101T000000Z`;
  await Bun.write(earlier, "of an earlier start");
  await Bun.write(path, "no database ".repeat(1_000));

  await using started = await startExtension(extension, { config: { path } });

  const report = started.service(storageReportHandle);
  expect(await report.setAside()).toEqual([
    { path: earlier, reason: "it was damaged at an earlier start" },
    { path: `${path}.damaged-20260101T000000Z`, reason: expect.stringContaining("it is damaged") },
  ]);
  expect(await report.damage()).toBeUndefined();
  expect(started.logs).toContainEqual(expect.objectContaining({ extension: "storage-sqlite", level: "error" }));
});

test("storage-sqlite reports damage found by a read", async () => {
  await using world = await createSqliteFolder({ rows: 1_000, damagedAt: 40_960 });
  const { path } = world;
  await using started = await startExtension(extension, { config: { path } });

  const read = started.service(storageDriverHandle).list("n", { limit: 1_000 });

  expect(await read.catch((error: unknown) => error)).toMatchObject({ code: "DAMAGED" });
  expect(await started.service(storageReportHandle).damage()).toContain("it is damaged");
});

test("storage-sqlite reports a failed write", async () => {
  await using world = await createSqliteFolder();
  const { path } = world;
  await using started = await startExtension(extension, { config: { path } });
  const storage = started.service(storageDriverHandle);
  const report = started.service(storageReportHandle);
  await storage.atomic([], [set("k", 1)]);
  const before = await report.writeFailure();
  world.run("DROP TABLE entries");

  const write = storage.atomic([], [set("k", 2)]);

  expect(await write.catch((error: unknown) => error)).toMatchObject({ code: "STORAGE_FAILED" });
  expect(before).toBeUndefined();
  expect(await report.writeFailure()).toMatchObject({ reason: expect.stringContaining("no such table") });
});

test("storage-sqlite provides backups and erasure", async () => {
  await using world = await createSqliteFolder();
  const { path } = world;
  await using started = await startExtension(extension, { config: { path } });
  const storage = started.service(storageDriverHandle);
  const entry = { namespace: "n", key: "k" } as const;
  await storage.atomic([], [{ kind: "set", ...entry, value: "planted-text" }]);
  const copy = await started.service(storageBackupHandle).backUp();
  await storage.atomic([], [{ kind: "delete", ...entry }]);
  await started.service(storageErasureHandle).eraseDeleted();

  expect(await Bun.file(copy.path).text()).toContain("planted-text");
  expect(await Bun.file(path).text()).not.toContain("planted-text");
});
