import type { ConversationId } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { expectPrefixes, LookupWorld, toolResult, type ModelCall } from "./lookup-world.ts";
import { manyTools } from "./many-tools-server.ts";

const bodySchema = z.object({
  tools: z
    .array(z.object({ function: z.object({ name: z.string(), description: z.string(), parameters: z.unknown() }) }))
    .default([]),
});

function toolsOf(body: string): readonly { readonly name: string; readonly description: string }[] {
  return bodySchema.parse(JSON.parse(body)).tools.map((tool) => tool.function);
}

const found = z.object({
  name: z.string(),
  server: z.string(),
  description: z.string(),
  inputSchema: z.looseObject({ type: z.literal("object") }),
});

function toolsIn(result: string): readonly z.infer<typeof found>[] {
  return result.split("\n").flatMap((line) => (line.startsWith("{") ? [found.parse(JSON.parse(line))] : []));
}

test("[byte-prefix] a model finds and runs one of 3,000 tools with approval, in small requests", async () => {
  await using lookup = await LookupWorld.start();
  const { world } = lookup;
  const id = await world.begin();

  const search = await lookup.call(id, {
    name: "search_tools",
    input: { query: "archive the invoice of region 7", limit: 3 },
  });
  expect(search.events.find(({ type }) => type === "tools-resolve")).toMatchObject({
    count: 2,
    deferred: [{ server: "crm", count: 3_000, reason: "no-room" }],
    problems: [],
  });
  expect(search.asked).toEqual([]);
  const [first, ...others] = toolsIn(toolResult(search.body));
  expect(first).toMatchObject({
    name: "crm__archive_invoice_r7",
    server: "crm",
    description: "archive one invoice of the region 7, and tell what came of it.",
    inputSchema: { required: ["id"] },
  });
  expect(others).toHaveLength(2);
  expect(toolResult(search.body)).toMatch(/\n\d+ more fit: /);

  const name = "crm__archive_invoice_r7";
  const ran = await lookup.call(id, {
    name: "call_tool",
    input: { name, input: { id: "R-1" } },
    answer: "allow-always",
  });
  const { toolCallId } = ran;
  expect(toolResult(ran.body)).toBe('archive_invoice_r7 ran with {"id":"R-1"}');
  expect(ran.asked).toMatchObject([{ toolCallId, name, input: '{"id":"R-1"}' }]);
  expect(ran.end).toMatchObject({
    toolCallId,
    name,
    input: '{"id":"R-1"}',
    output: toolResult(ran.body),
  });

  await lookup.restart();
  await lookup.list([...manyTools(10), { name: "new_one", description: "New", inputSchema: { type: "object" } }]);
  // The approval covered that tool, not others called in the same way.
  const gone = await lookup.call(id, { name: "call_tool", input: { name, input: { id: "R-2" } } });
  expect(gone.end).toMatchObject({
    name,
    error: { code: "TOOL_UNAVAILABLE" },
  });
  const other = await lookup.call(id, {
    name: "call_tool",
    input: { name: "crm__read_invoice_r0", input: { id: "R-3" } },
    answer: "deny",
  });
  expect(other.asked).toMatchObject([{ name: "crm__read_invoice_r0" }]);
  expect(other.end).toMatchObject({
    name: "crm__read_invoice_r0",
    error: { code: "APPROVAL_DENIED" },
  });
  const unknown = await lookup.call(id, { name: "call_tool", input: { name: "crm__new_one", input: {} } });
  expect(toolResult(unknown.body)).toStartWith('There is no tool "crm__new_one"');
  await lookup.list(manyTools(2_999));
  await lookup.call(id, { name: "call_tool", input: { name: "crm__reload", input: {} } });
  const again = await lookup.call(id, { name: "search_tools", input: { query: "archive_invoice_r7" } });
  expect(toolsIn(toolResult(again.body))[0]?.name).toBe(name);

  const back = await lookup.call(id, { name: "call_tool", input: { name, input: { id: "R-4" } } });
  expect(back.asked).toEqual([]);

  expect(await lookup.calls()).toEqual([
    ["archive_invoice_r7", { id: "R-1" }],
    ["reload", {}],
    ["archive_invoice_r7", { id: "R-4" }],
  ]);
  expectPrefixes(world.model.requests.map(({ body }) => body));
  const shown = world.model.requests.map(({ body }) => toolsOf(body));
  for (const tools of shown) expect(tools).toEqual(shown[0] ?? []);
  expect(shown[0]?.map((tool) => tool.name)).toEqual(["call_tool", "search_tools"]);
  expect(shown[0]?.[1]?.description).toContain("There are 3000, of these servers: crm (3000).");
});

async function refusal(lookup: LookupWorld, id: ConversationId, call: ModelCall): Promise<string> {
  const { asked, end, body } = await lookup.call(id, call);
  const result = toolResult(body);
  expect(asked).toEqual([]);
  expect(end).toMatchObject({
    error: { code: expect.stringMatching(/^TOOL_(INPUT_INVALID|UNKNOWN|FAILED)$/), message: result },
  });
  return result;
}

test("invalid searches and calls of deferred tools explain the error and run nothing", async () => {
  await using lookup = await LookupWorld.start({
    tools: [...manyTools(600), { name: "search_tools", description: "Its own", inputSchema: { type: "object" } }],
  });
  const id = await lookup.world.begin();
  const name = "crm__create_invoice_r0";
  const queryRule = '"query" must have 1 to 1000 characters, such as "create issue", or "select:NAME1,NAME2"';
  const many = Array.from({ length: 21 }, (_, index) => `n${index}`).join(",");
  for (const [input, problem] of [
    [{ query: "" }, queryRule],
    [{ query: " \n " }, queryRule],
    [{ query: "x".repeat(10_000) }, queryRule],
    [{}, '"input.query" is missing'],
    [{ query: "a", limit: 0 }, '"limit" must be a whole number from 1 to 20'],
    [{ query: "a", limit: "five" }, '"input.limit" must be an integer, and is a string'],
    [{ query: "select: ," }, 'name tools behind "select:", such as "select:NAME1,NAME2"'],
    [{ query: `select:${many}` }, '"select:" takes at most 20 names, and 21 were given'],
  ] as const)
    expect(await refusal(lookup, id, { name: "search_tools", input })).toBe(`Cannot run search_tools: ${problem}`);

  const own = (tool: string): string => `"${tool}" is one of your own tools: call it by itself`;
  for (const [input, problem] of [
    [{ name: "call_tool", input: { name, input: {} } }, `"call_tool" ran nothing: ${own("call_tool")}`],
    [{ name: "search_tools", input: { query: "a" } }, `"call_tool" ran nothing: ${own("search_tools")}`],
    [
      { name: `crm__create_invoice\u0000\u001B[31m_r0`, input: { id: "1" } },
      'There is no tool "crm__create_invoice\\u0000\\u001b[31m_r0"; names like it: "crm__create_invoice_r0"',
    ],
    [{ name: "crm__creat_invoice_r1", input: {} }, 'names like it: "crm__'],
    [
      { name: "n".repeat(5_000), input: {} },
      `There is no tool "${"n".repeat(80)}…"; look for others with search_tools`,
    ],
    [
      { name: 7, input: {} },
      '"call_tool" ran nothing: "input.name" must be a string, and is a number; write {"name": …, "input": {…}}',
    ],
    ["[]", '"call_tool" ran nothing: its arguments are no JSON object; write {"name": …, "input": {…}}'],
    [
      `{"name":"${name}","input":{"id":"1","i\\u0064":"2"}}`,
      '"call_tool" ran nothing: its arguments have the key "id" twice; write each once',
    ],
    ['{"name": ', '"call_tool" ran nothing: its arguments are no JSON: '],
  ] as const)
    expect(await refusal(lookup, id, { name: "call_tool", input })).toContain(problem);
  const schema = JSON.stringify(manyTools(1)[0]?.inputSchema);
  for (const [input, problem] of [
    [{ amount: 3 }, '"input.id" is missing'],
    [{ id: 3 }, '"input.id" must be a string, and is a number'],
    [{ id: "1", amount: "3" }, '"input.amount" must be an integer, and is a string'],
    [{ id: "1", amount: 0 }, '"input.amount" must be at least 1'],
    [{ id: "1", force: true }, '"input.force" is not known; there are "id", "amount"'],
  ] as const) {
    // Some models call a found tool directly, with the same validation.
    for (const call of [
      { name: "call_tool", input: { name, input } },
      { name, input },
    ])
      expect(await refusal(lookup, id, call)).toBe(`"${name}" was not run: ${problem}; it takes ${schema}`);
  }

  expect(await lookup.calls()).toEqual([]);
  const selected = await lookup.call(id, {
    name: "search_tools",
    input: { query: `select:${name},crm__search_tools,crm__creat_invoice` },
  });
  expect(toolsIn(toolResult(selected.body)).map((tool) => tool.name)).toEqual([name, "crm__search_tools"]);
  expect(toolResult(selected.body)).toContain('No tool is named "crm__creat_invoice"; names like it: crm__');
  const asText = { name, input: JSON.stringify({ id: "1" }) };
  expect(await lookup.result(id, { name: "call_tool", input: asText })).toContain("ran with");
  const theirs = { name: "call_tool", input: { name: "crm__search_tools", input: {} } };
  expect(await lookup.result(id, theirs)).toBe("search_tools ran with {}");
  expect(await lookup.calls()).toEqual([
    ["create_invoice_r0", { id: "1" }],
    ["search_tools", {}],
  ]);
});

test("tools are deferred as their server is configured or when they do not fit", async () => {
  for (const [count, server, config, expected] of [
    [2, "defer = true", "", { shown: 2, deferred: [{ server: "crm", reason: "configured", count: 3 }] }],
    [2, "", "", { shown: 3, deferred: [] }],
    [200, "", "", { shown: 2, deferred: [{ server: "crm", reason: "no-room", count: 201 }] }],
    [200, "defer = false", "", { shown: 201, deferred: [] }],
    [600, "defer = false", "", { shown: 2, deferred: [{ server: "crm", reason: "too-many", count: 601 }] }],
    [2, "", "tools.shown_max = 2", { shown: 2, deferred: [{ server: "crm", reason: "no-room", count: 3 }] }],
    [2, "", "tools.shown_max_bytes = 99", { shown: 2, deferred: [{ server: "crm", reason: "no-room", count: 3 }] }],
    [200, "", "tools.shown_max = 201\ntools.shown_max_bytes = 999999", { shown: 201, deferred: [] }],
  ] as const) {
    await using lookup = await LookupWorld.start({ tools: manyTools(count), server, config: () => config });
    const { client, model } = lookup.world;
    await lookup.world.turn(await lookup.world.begin(), "Wait for the server"); // A listing waits for 2 s, a turn for 60.
    const id = await lookup.world.begin();
    const before = await client.call(routes.getConversationTools, { params: { id } });
    await lookup.world.turn(id, "Hello");

    const shown = await client.call(routes.getConversationTools, { params: { id } });

    expect(before).toEqual({ ...shown, sha256: null });
    expect(toolsOf(model.requests.at(-1)?.body ?? "")).toHaveLength(expected.shown);
    expect(shown.tools).toHaveLength(expected.shown);
    expect(shown.deferred.map(({ tools, ...rest }) => ({ ...rest, count: tools.length }))).toEqual([
      ...expected.deferred,
    ]);
    expect(shown.next).toEqual({ added: [], removed: [], changed: [], problems: [] });
    const all = [...shown.tools, ...shown.deferred.flatMap(({ tools }) => tools)];
    expect(all.filter(({ isAvailable }) => !isAvailable)).toEqual([]);
  }
});

test("[byte-prefix] compaction refreshes the deferred tools, and an imported conversation keeps its requests", async () => {
  await using lookup = await LookupWorld.start();
  const { world } = lookup;
  const id = await world.begin();
  await lookup.call(id, { name: "search_tools", input: { query: "invoice" } });
  // An archive whose results do not match the model's calls is rejected.
  await lookup.call(id, { name: "call_tool", input: { name: "crm__reload", input: {} } });
  const archive = await new Response(await world.client.exportConversation(id)).blob();
  await lookup.list([
    ...manyTools(700),
    { name: "dye_wool", description: "Dyes", inputSchema: { type: "object" } },
  ]);
  await lookup.call(id, { name: "call_tool", input: { name: "crm__reload", input: {} } });
  const before = await lookup.call(id, { name: "search_tools", input: { query: "wool" } });
  await world.client.call(routes.compactConversation, { params: { id } });

  const after = await lookup.call(id, { name: "search_tools", input: { query: "wool" } });

  expect(toolResult(before.body)).toStartWith('No tool fits "wool"');
  expect(toolsIn(toolResult(after.body))).toMatchObject([{ name: "crm__dye_wool" }]);

  const small = [...manyTools(700), { name: "spin_wool", description: "Spins", inputSchema: { type: "object" } }];
  await using elsewhere = await LookupWorld.start({ tools: small });
  const imported = await elsewhere.world.client.importConversation(archive);
  const there = await elsewhere.call(imported.id, { name: "search_tools", input: { query: "wool" } });
  expect(toolsIn(toolResult(there.body))).toMatchObject([{ name: "crm__spin_wool" }]);
  const [sent] = elsewhere.world.model.requests;
  expect(toolsOf(sent?.body ?? "")).toEqual(toolsOf(world.model.requests[0]?.body ?? ""));
  // Its folder comes from the archive: the question about it concerns the tool that runs.
  const ran = await elsewhere.call(imported.id, {
    name: "call_tool",
    input: { name: "crm__spin_wool", input: {} },
    answer: "deny",
  });
  expect(there.asked).toEqual([]);
  expect(ran.asked).toMatchObject([{ name: "crm__spin_wool", folder: expect.any(String) }]);
  expect(await elsewhere.calls()).toEqual([]);
});

test("[attack:tool-lookup-rules] an agent can neither find nor run a forbidden tool in any way", async () => {
  await using lookup = await LookupWorld.start({
    tools: manyTools(600),
    config: () =>
      [
        `[profiles.reader]\ntools = { allowed = ["crm__read_*"] }`,
        `[profiles.careful]\ntools = { asked = ["crm__read_*"], denied = ["crm__archive_*"] }`,
        `[profiles.alone]\ntools = { denied = ["call_tool"] }`,
      ].join("\n"),
    server: 'approve = "allow"',
  });
  const { client } = lookup.world;
  const name = "crm__archive_invoice_r0";
  const attempts = [
    { name: "search_tools", input: { query: "archive invoice", limit: 20 } },
    { name: "search_tools", input: { query: name, limit: 20 } },
    { name: "search_tools", input: { query: `select:${name}` } },
    { name: "call_tool", input: { name, input: { id: "1" } } },
    { name, input: { id: "1" } },
  ];
  const seen = async (id: ConversationId): Promise<string> => {
    const results: string[] = [];
    for (const attempt of attempts) results.push(await lookup.result(id, attempt));
    return results
      .join("\n")
      .replaceAll(`No tool is named "${name}"`, "")
      .replaceAll(`There is no tool "${name}"`, "");
  };
  for (const profile of ["reader", "careful", "alone"] as const) {
    const outcome = await seen(await lookup.world.begin({ profile }));
    expect([profile, /crm__archive_|ran with/.exec(outcome)]).toEqual([profile, null]);
    expect(outcome.includes("crm__read_invoice")).toBe(profile !== "alone");
  }
  expect(await lookup.calls()).toEqual([]);

  const narrowed = await lookup.world.begin();
  const control = await seen(narrowed);
  expect(control).toContain(`{"name":"${name}"`);
  expect(await lookup.calls()).toEqual([
    ["archive_invoice_r0", { id: "1" }],
    ["archive_invoice_r0", { id: "1" }],
  ]);
  await client.call(routes.updateConversation, {
    params: { id: narrowed },
    body: { allowedTools: ["crm__read_*"] },
  });
  expect(await seen(narrowed)).not.toMatch(/crm__archive_|ran with/);
  expect(await lookup.calls()).toHaveLength(2);

  const careful = await lookup.world.begin({ profile: "careful" });
  const read = { name: "call_tool", input: { name: "crm__read_invoice_r0", input: { id: "1" } } };
  const asked = await lookup.call(careful, read);
  expect(asked.asked).toMatchObject([{ name: "crm__read_invoice_r0", input: '{"id":"1"}' }]);
  const alone = await lookup.world.begin({ profile: "alone" });
  const { events } = await lookup.world.turn(alone, "Hello");
  expect(events.find(({ type }) => type === "tools-resolve")).toMatchObject({
    count: 0,
    problems: [
      'Tools of "crm" (601) are omitted: they need tool search, and this conversation may not use "call_tool"',
    ],
  });
});

test("[attack:tool-lookup-approval] a lasting approval covers the tool that ran, not the indirect call", async () => {
  await using lookup = await LookupWorld.start({ tools: manyTools(600), server: 'approve = "ask"' });
  const id = await lookup.world.begin();
  const asked = async (tool: string, number: string): Promise<readonly unknown[]> => {
    const input = { name: tool, input: { id: number } };
    const call = await lookup.call(id, { name: "call_tool", input, answer: "allow-always" });
    return call.asked.map((event) => [event.name, event.input]);
  };
  const [first, second] = ["crm__read_invoice_r0", "crm__archive_invoice_r0"] as const;

  expect(await asked(first, "1")).toEqual([[first, '{"id":"1"}']]);
  expect(await asked(second, "2")).toEqual([[second, '{"id":"2"}']]);
  const control = await asked(first, "3");

  expect(control).toEqual([]);
  expect(await lookup.calls()).toHaveLength(3);
});

test("a grant covers tools by their own and server names, never call_tool", async () => {
  await using lookup = await LookupWorld.start({ tools: manyTools(600), server: 'approve = "ask"' });
  const id = await lookup.world.begin();
  const name = "crm__read_invoice_r0";
  const called = async (allow: readonly string[]): Promise<unknown> => {
    const call = { name: "call_tool", input: { name, input: { id: "1" } }, answer: "deny", allow } as const;
    const { events } = await lookup.call(id, call);
    return events.flatMap((event) =>
      event.type === "approval-request"
        ? [["asked", event.name, event.scopes?.map(({ grants }) => grants)]]
        : event.type === "tool-call-end"
          ? [["ended", event.name, event.allowedBy ?? event.error?.code]]
          : [],
    );
  };
  const denied = [
    ["asked", name, [[name]]],
    ["ended", name, "APPROVAL_DENIED"],
  ];

  expect(await called(["crm__*"])).toEqual([["ended", name, "crm__* of the turn"]]);
  expect(await called([name])).toEqual([["ended", name, `${name} of the turn`]]);
  expect(await called(["crm__archive_invoice_r0", "read_invoice_r0", "search_tools", "other__*"])).toEqual(denied);
  const refused = await called(["call_tool"]).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
  expect(String(refused)).toContain('cannot be "call_tool": it runs other tools');
  expect(await lookup.calls()).toHaveLength(2);
});

test("the command and the step record list deferred tools and the reason", async () => {
  await using lookup = await LookupWorld.start({ tools: manyTools(600) });
  const { client } = lookup.world;
  const id = await lookup.world.begin();
  await lookup.call(id, { name: "search_tools", input: { query: "invoice" } });
  const [step] = (await client.call(routes.listSteps, { params: { id } })).steps;

  const record = await client.call(routes.getStepRecord, { params: { id, stepId: step?.id ?? "" } });

  expect(record.deferredTools).toEqual([{ server: "crm", count: 601, reason: "no-room" }]);
  expect(record.tools?.map(({ name }) => name)).toEqual(["call_tool", "search_tools"]);
});
