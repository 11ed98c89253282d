import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";

const folder = import.meta.dir;
const countsSchema = z.object({ ready: z.int().positive(), described: z.int().positive() });

test("a ready host has constructed only a few of all schemas", async () => {
  await using temporary = await createTempFolder();
  // Zod calls this function for each new schema, as used by `zod/compile`.
  const script = `
    let count = 0;
    globalThis.__zod_globalConfig = { postProcessor: () => { count += 1; } };
    const { createHost } = await import(${JSON.stringify(join(folder, "create-host.ts"))});
    const { parseConfig } = await import(${JSON.stringify(join(folder, "config/parse-config.ts"))});
    const config = parseConfig("listen.port = 0", "incipit.toml");
    const cwd = ${JSON.stringify(temporary.path)};
    const host = await createHost({ config, dataFolder: cwd + "/data", cwd, env: {}, writeLog: () => {} });
    const ready = count;
    await fetch(host.url + "/openapi.json", { headers: { authorization: "Bearer " + host.token } });
    console.log(JSON.stringify({ ready, described: count }));
    await host.close();
  `;
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", script], { cwd: folder });
  expect(stderr.toString()).toBe("");

  const { ready, described } = countsSchema.parse(JSON.parse(stdout.toString()));

  expect(described).toBeGreaterThan(1_500);
  expect(ready / described).toBeLessThan(0.3);
});
