import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { costsQuerySchema } from "@incipit/schema";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess, incipit } from "../support/host-process.ts";

test("max_usd_per_day survives a kill, and /v1, GET /costs and doctor report reaching it", async () => {
  await using folder = await createTempFolder();
  await using server = await startRecordingModelServer();
  const config = join(folder.path, "incipit.toml");
  const data = join(folder.path, "data");
  await Bun.write(
    config,
    `listen.port = 0\nmodel = "vendor/test"\nlimits.max_usd_per_day = 1
[providers.vendor]\nkind = "openai-compatible"\nbase_url = "${server.url}"\napi_key_env = "VENDOR_KEY"
models.test.prices = { input = 1000000, output = 1000000, cache_write = 1250000 }\n`,
  );
  const options = { data, config, cwd: folder.path, env: { VENDOR_KEY: "key-0123456789" } };
  await using first = await HostProcess.start(options);
  const { id } = await first.createConversation();

  const spent = (await first.turn(id, { input: "one" })).at(-1);
  await first.kill("SIGKILL");
  await using host = await HostProcess.start(options);
  const refused = (await host.turn(id, { input: "two" })).at(-1);
  const { url, token } = host;
  const stateless = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "vendor/test", messages: [{ role: "user", content: "Hi" }] }),
  });
  const client = createClient({ url, token });
  const { limits } = await client.call(routes.listCosts, { query: costsQuerySchema.parse({}) });
  const examined = await incipit(["doctor", "--json", "--data", data, "--config", config], {
    cwd: folder.path,
    home: folder.path,
    env: options.env,
  });

  expect(spent).toMatchObject({ status: "completed" });
  expect(refused).toMatchObject({ status: "failed", error: { code: "SPEND_LIMIT_REACHED" } });
  expect([stateless.status, await stateless.json()]).toMatchObject([
    429,
    { error: { code: "insufficient_quota" } },
  ]);
  expect(limits).toMatchObject({ maxUsdPerConversation: null, maxUsdPerDay: 1 });
  expect(limits.spentToday.usd).toBeGreaterThan(1);
  expect(examined.stdout).toContain("of $1.00 were spent today ([limits] max_usd_per_day)");
  expect(server.requests.filter(({ path }) => path.endsWith("/chat/completions"))).toHaveLength(1);
}, 120_000);
