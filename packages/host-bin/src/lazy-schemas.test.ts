import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";

const folder = import.meta.dir;
const countsSchema = z.object({ ready: z.int().positive(), all: z.int().positive() });

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
    const { toJSONSchema } = await import("zod");
    const { routes } = await import("@incipit/transport-contract");
    const schemas = Object.values(routes).flatMap(({ response, body, query }) => [response, body, query]);
    for (const schema of schemas) if (schema !== undefined) toJSONSchema(schema, { io: "input" });
    console.log(JSON.stringify({ ready, all: count }));
    await host.close();
  `;
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", script], { cwd: folder });
  expect(stderr.toString()).toBe("");

  const { ready, all } = countsSchema.parse(JSON.parse(stdout.toString()));

  expect(all).toBeGreaterThan(1_500);
  expect(ready / all).toBeLessThan(0.3);
});
