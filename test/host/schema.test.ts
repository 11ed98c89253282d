import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { World } from "../support/world.ts";

function entries(path: string): readonly unknown[] {
  using database = new Database(path, { readonly: true });
  return database.query("SELECT namespace, key, value FROM entries ORDER BY namespace, key").values();
}

test("[set-aside] a host rejects a database of a newer version, names it, and changes nothing", async () => {
  await using world = await World.start();
  {
    await using host = await world.host();
    await host.createConversation();
    await host.kill("SIGTERM");
  }
  const path = join(world.data, "incipit.db");
  {
    using database = new Database(path);
    database.run(
      `INSERT INTO entries VALUES ('session-orchestrator/conversations', 'schema', '{"version":99,"writtenBy":"9.0.0"}', 1000)`,
    );
  }
  const before = entries(path);
  const refused = await world.run(["serve", "--port", "0"]);

  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("9.0.0 (schema 99)");
  expect(entries(path)).toEqual(before);
  expect((await readdir(world.data)).filter((name) => name.includes(".backup-"))).toEqual([]);
}, 300_000);
