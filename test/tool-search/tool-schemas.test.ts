import type { WireName } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { LookupWorld } from "./lookup-world.ts";
import { prefixOf } from "../support/request-body.ts";

interface VendorOfTools {
  readonly provider: string;
  readonly wire: WireName;
  readonly isOpenai: boolean;
}

const vendors: readonly VendorOfTools[] = [
  { provider: 'kind = "openai"', wire: "openai-responses", isOpenai: true },
  { provider: 'kind = "openai"\napi = "chat"', wire: "openai-chat", isOpenai: true },
  { provider: 'kind = "openai-compatible"', wire: "openai-chat", isOpenai: false },
  { provider: 'kind = "deepseek"', wire: "openai-chat", isOpenai: false },
  { provider: 'kind = "anthropic"', wire: "anthropic", isOpenai: false },
  { provider: 'kind = "google"', wire: "gemini", isOpenai: false },
];

const bare = { type: "object" };
const lists = {
  type: "object",
  properties: {
    tags: { type: "array", description: "All of them" },
    pairs: { anyOf: [{ type: "array", prefixItems: [{ type: "string" }] }, { type: "null" }] },
    free: { type: "object" },
  },
};
const listsForOpenai = {
  type: "object",
  properties: {
    tags: { type: "array", description: "All of them", items: {} },
    pairs: { anyOf: [{ type: "array", prefixItems: [{ type: "string" }], items: {} }, { type: "null" }] },
    free: { type: "object" },
  },
};

const namedSchema = z.looseObject({ name: z.string() });
const bodySchema = z.object({
  tools: z.array(
    z.union([
      z.object({ function: namedSchema }).transform((tool) => [tool.function]),
      z.object({ functionDeclarations: z.array(namedSchema) }).transform((tool) => tool.functionDeclarations),
      namedSchema.transform((tool) => [tool]),
    ]),
  ),
});

function schemasIn(body: string): ReadonlyMap<string, unknown> {
  const tools = bodySchema.parse(JSON.parse(body)).tools.flat();
  return new Map(
    tools.map((tool) => [tool.name, tool["parameters"] ?? tool["input_schema"] ?? tool["parametersJsonSchema"]]),
  );
}

for (const { provider, wire, isOpenai } of vendors) {
  test(`[byte-prefix] over ${provider.replaceAll("\n", ", ")} a sparse tool schema is sent adapted and stored verbatim`, async () => {
    await using lookup = await LookupWorld.start({
      tools: [
        { name: "bare", description: "Takes anything", inputSchema: bare },
        { name: "lists", description: "Takes lists", inputSchema: lists },
      ],
      server: 'approve = "allow"',
      env: { VENDOR_KEY: "key-of-vendor-1234" },
      isOpenai,
      config: ({ model }) =>
        `[providers.vendor]\n${provider}\nbase_url = "${model.urlOf(wire)}"\napi_key_env = "VENDOR_KEY"\n`,
    });
    const { world } = lookup;
    const { model } = world;
    const id = await world.begin({ model: "vendor/gpt-5.2" });
    model.enqueueCall("crm__bare", { a: 1 });

    expect((await world.turn(id, "Hello")).end).toMatchObject({ status: "completed" });
    await lookup.restart();
    expect((await world.turn(id, "Hello again")).end).toMatchObject({ status: "completed" });

    expect(await lookup.calls()).toEqual([["bare", { a: 1 }]]);
    const bodies = model.requests.map(({ body }) => body);
    const marks = /,"cache_control":\{[^}]*\}/g; // Anthropic's marks move and are not part of the cached content.
    const [first = "", second = "", third = ""] = bodies.map((body) => body.replaceAll(marks, ""));
    expect(second).toStartWith(prefixOf(first));
    expect(third).toStartWith(prefixOf(second));
    const sent = schemasIn(third);
    expect(sent.get("crm__bare")).toEqual(isOpenai ? { type: "object", properties: {} } : bare);
    expect(sent.get("crm__lists")).toEqual(isOpenai ? listsForOpenai : lists);

    const { tools } = await world.client.call(routes.getConversationTools, { params: { id } });
    const kept = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
    expect([kept.get("crm__bare"), kept.get("crm__lists")]).toEqual([bare, lists]);
    const { steps } = await world.client.call(routes.listSteps, { params: { id } });
    expect(steps.map(({ firstDifference }) => firstDifference)).toEqual([null, null, null]);
    const records = await Promise.all(
      steps.map((step) => world.client.call(routes.getStepRecord, { params: { id, stepId: step.id } })),
    );
    expect(records.map(({ request }) => request?.body)).toEqual(bodies);
    expect(model.problems).toEqual([]);
  });

  test(`over ${provider.replaceAll("\n", ", ")} a client tool whose schema lacks the object type is accepted`, async () => {
    await using lookup = await LookupWorld.start({
      tools: [],
      env: { VENDOR_KEY: "key-of-vendor-1234" },
      isOpenai,
      config: ({ model }) =>
        `[providers.vendor]\n${provider}\nbase_url = "${model.urlOf(wire)}"\napi_key_env = "VENDOR_KEY"\n`,
    });
    const { host, model } = lookup.world;
    const tools = [{}, { properties: { a: { type: "string" } } }].map((parameters, index) => ({
      type: "function",
      function: { name: `own_${index}`, description: "The client's own", parameters },
    }));

    const response = await host.fetch(`${host.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${host.token}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "vendor/gpt-5.2", messages: [{ role: "user", content: "Hello" }], tools }),
    });

    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("Reply 1")]);
    const empty = { type: "object", ...(isOpenai ? { properties: {} } : {}) };
    expect([...schemasIn(model.requests[0]?.body ?? "").values()]).toEqual([
      empty,
      { type: "object", properties: { a: { type: "string" } } },
    ]);
    expect(model.problems).toEqual([]);
  });
}
