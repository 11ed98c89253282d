import { costsQuerySchema } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { World } from "../support/world.ts";

test("max_usd_per_day survives a kill, and /v1, GET /costs and doctor report reaching it", async () => {
  const facts = "prices = { input = 1000000, output = 1000000, cache_write = 1250000 }";
  await using world = await World.start({ config: "listen.port = 0\nlimits.max_usd_per_day = 1", facts });
  const first = await world.host();
  const { id } = await first.createConversation();

  const spent = (await first.turn(id, { input: "one" })).at(-1);
  await first.kill("SIGKILL");
  const host = await world.host();
  const refused = (await host.turn(id, { input: "two" })).at(-1);
  const stateless = await host.fetch("/v1/chat/completions", {
    body: { model: "local/test", messages: [{ role: "user", content: "Hi" }] },
  });
  const { limits } = await host.client.call(routes.listCosts, { query: costsQuerySchema.parse({}) });
  const examined = await world.run(["doctor", "--json"]);

  expect(spent).toMatchObject({ status: "completed" });
  expect(refused).toMatchObject({ status: "failed", error: { code: "SPEND_LIMIT_REACHED" } });
  expect([stateless.status, await stateless.json()]).toMatchObject([
    429,
    { error: { code: "insufficient_quota" } },
  ]);
  expect(limits).toMatchObject({ maxUsdPerConversation: null, maxUsdPerDay: 1 });
  expect(limits.spentToday.usd).toBeGreaterThan(1);
  expect(examined.stdout).toContain("of $1.00 were spent today ([limits] max_usd_per_day)");
  expect(world.model.requests.filter(({ path }) => path.endsWith("/chat/completions"))).toHaveLength(1);
}, 120_000);
