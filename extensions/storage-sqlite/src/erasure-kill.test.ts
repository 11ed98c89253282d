import { createTempFolder, sampleOf } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

const turns = [0, 1, 3, 10, 20, 40, 80, 160, 320, 640].map(String);
const points = [...turns, "before", "renamed", "synced"];

async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder))
    if (Buffer.from(await Bun.file(join(folder, name)).arrayBuffer()).includes(text)) found.push(name);
  return found;
}

for (const point of sampleOf(points)) {
  test(`[never-lost] an erasure killed at point ${point} loses nothing acknowledged and resumes at the next start`, async () => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "data.db");
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "fixtures/killed-eraser.ts"), path, point], {
      stdout: "pipe",
      stderr: "inherit",
    });
    const printed = (await new Response(child.stdout).text()).split("\n").slice(0, -1);
    await child.exited;

    const { storage, setAside } = openSqliteStorage(path);
    await using _ = storage;

    expect(child.signalCode).toBe("SIGKILL");
    expect(setAside).toBeUndefined();
    for (const key of printed.filter((line) => line !== "erased"))
      expect((await storage.get("n", key))?.value).toBe(Number(key.slice("meanwhile:".length)));
    expect(await storage.list("n", { prefix: "k" })).toEqual([]);
    if (printed.includes("erased")) expect(await filesWith(folder.path, "deleted-secret")).toEqual([]);
    else if (storage.isErasureDue) await storage.eraseDeleted();
    expect(storage.isErasureDue).toBe(false);
    expect(await filesWith(folder.path, "deleted-secret")).toEqual([]);
    expect((await readdir(folder.path)).toSorted()).toEqual(["data.db", "data.db-shm", "data.db-wal"]);
  });
}
