import { routes, type CapabilitiesInfo } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { sharedWorld } from "../support/shared-world.ts";
import { createManagerWorld, failureOf, writeExtension } from "./manager-world.ts";
import { probe, type Probe } from "./probe.ts";

const world = await sharedWorld(createManagerWorld({ PATH: process.env["PATH"] ?? "" }));
await world.restart("tools.workspace = true");

/** What the code achieves with each of the grants. */
async function outcomes(code: Probe, ...grants: readonly (CapabilitiesInfo | undefined)[]): Promise<unknown> {
  const found: unknown[] = [];
  for (const grant of grants) found.push(await probe(world, code, grant));
  return found;
}

function using(service: string, tries: string, capabilities: object = {}): Probe {
  return { manifest: { capabilities, dependsOn: { optional: [service] } }, tries };
}

function contributing(point: string, value: string): Probe {
  const tries = `host.contribute(definePoint("${point}"), ${value}); return "added";`;
  return { manifest: { contributes: [point] }, tries };
}

function current(service: string): Probe {
  return using(service, `return typeof host.getService(defineHandle("${service}")).current;`);
}

const reading = (point: string, tries: string): Probe => ({
  manifest: { reads: [point] },
  tries: `const { current } = host.contributions(definePoint("${point}")); ${tries}`,
});
const shell = `const shell = current.find(({ value }) => value.name === "shell");
  const options = { conversationId: "x", cwd: "/tmp", signal: host.signal };
  return (await shell.value.execute({ command: "echo taken" }, options)).includes("taken");`;
const sending = `const conversations = host.getService(defineHandle("conversations@1")).get();
  const { id } = await conversations.create({});
  await conversations.send(id, { input: "hello" });
  return (await conversations.list({ limit: 5 })).items.length;`;
const provider = '{ id: "acme", models: [], problem: null, stream: async function* () {} }';

const confirmed: readonly (readonly [name: string, code: Probe, grant: CapabilitiesInfo, works: unknown])[] = [
  [
    "[attack:extension-runs-tools] an unconfirmed extension cannot call the shell tool",
    reading("tools@1", shell),
    { reads: ["tools@1"] },
    true,
  ],
  [
    "[attack:extension-calls-models] an unconfirmed extension cannot call models of others",
    reading("model-providers@1", "return typeof current[0].value.stream;"),
    { reads: ["model-providers@1"] },
    "function",
  ],
  [
    "[attack:extension-reads-conversations] an unconfirmed extension reads no conversation and sends no turn",
    using("conversations@1", sending),
    { uses: ["conversations@1"] },
    1,
  ],
  [
    "[attack:extension-adds-to-prompts] an unconfirmed extension cannot add to prompts",
    contributing("prompt-segments@1", '{ id: "acme", order: 1, text: () => "obey" }'),
    { contributes: ["prompt-segments@1"] },
    "added",
  ],
  [
    "[attack:extension-answers-for-models] an unconfirmed extension cannot replace a model",
    contributing("model-providers@1", provider),
    { contributes: ["model-providers@1"] },
    "added",
  ],
  [
    "[attack:extension-observes-work] an unconfirmed extension receives no turn events",
    contributing("work-observers@1", '{ id: "acme", observe: () => {} }'),
    { contributes: ["work-observers@1"] },
    "added",
  ],
  [
    "[attack:extension-resolves-variables] an unconfirmed extension cannot read variables of another",
    reading("prompt-variables@1", "return current.length;"),
    { reads: ["prompt-variables@1"] },
    2, // The skill list and the context files.
  ],
];

for (const [name, code, grant, works] of confirmed)
  test(name, async () => {
    expect(await outcomes(code, undefined, {}, grant)).toEqual(["GRANT_REQUIRED", "CAPABILITY_DENIED", works]);
  });

test("[attack:extension-sees-prompts] an unconfirmed extension cannot read prompts", async () => {
  const prompts = ["system-prompt@1", "prompt-templates@1", "prompt-history@1"];
  for (const service of [...prompts, "step-records@1", "model-calls@1", "client-conversations@1"])
    expect(await outcomes(current(service), undefined, { uses: [service] })).toEqual(["GRANT_REQUIRED", "object"]);
});

test("[attack:extension-approves-itself] an extension that may send turns cannot approve their calls", async () => {
  const approving = (service: string): Probe =>
    using(service, `return "answerApproval" in host.getService(defineHandle("${service}")).get();`);
  const sends = { uses: ["conversations@1"] };

  expect(await outcomes(approving("conversations@1"), sends)).toEqual([false]);
  expect(await outcomes(approving("approvals@1"), undefined, sends, { uses: ["approvals@1"] })).toEqual([
    "GRANT_REQUIRED",
    "CAPABILITY_DENIED",
    true,
  ]);
});

test("[attack:extension-broken-contribution] an unusable contribution is rejected immediately", async () => {
  const tool = 'name: "a", description: "b", inputSchema: {}';
  for (const [point, value] of [
    ["tools@1", `{ ${tool} }`],
    ["tools@1", "null"],
    ["tools@1", `{ ${tool}, get execute() { throw new Error("no"); } }`],
    ["prompt-variables@1", '{ type: "a", resolve: () => {} }'],
  ] as const)
    expect([value, await probe(world, contributing(point, value))]).toEqual([value, "CONTRIBUTION_INVALID"]);
  expect(await probe(world, contributing("tools@1", `{ ${tool}, execute: () => "text" }`))).toBe("added");
});

test("[attack:extension-at-once] synchronous tools, variables, models and promised events work", async () => {
  await using own = await createManagerWorld();
  const { client, path } = own;
  const usage = "{ inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null }";
  const contributes = ["tools@1", "prompt-variables@1", "model-providers@1"];
  await writeExtension(path, {
    manifest: { contributes },
    activate: `host.contribute(definePoint("tools@1"), { name: "at_once", description: "d", inputSchema: { type: "object" }, approval: "allow", execute: () => "the text" });
    host.contribute(definePoint("prompt-variables@1"), { type: "sample", variables: [{ name: "a", description: "b" }], resolve: () => ({ value: "the value" }) });
    host.contribute(definePoint("model-providers@1"), { id: "acme", models: ["one"], problem: null, stream: async ({ messages }) => (async function* () {
      const result = messages.flatMap(({ parts }) => parts).find(({ type }) => type === "tool-result");
      if (result === undefined) yield { type: "tool-call", toolCallId: "1", name: "at_once", input: "{}" };
      else yield* [{ type: "text-start", partId: "0" }, { type: "text-delta", partId: "0", text: result.output }, { type: "text-end", partId: "0" }];
      yield { type: "finish", usage: ${usage}, finishReason: result === undefined ? "tool-calls" : "stop" };
    })() })`,
  });
  await client.call(routes.addExtension, { body: { path, grant: { contributes } } });
  const { systemPrompt } = await client.call(routes.previewSystemPrompt, { body: { template: "[sample:a]" } });
  const { conversation } = await client.call(routes.createConversation, { body: { model: "acme/one" } });

  const texts: string[] = [];
  for await (const event of client.sendTurn(conversation.id, { input: "Go" })) {
    if (event.type === "text-end") texts.push(event.text);
    if (event.type === "turn-end") texts.push(event.status);
  }

  expect([systemPrompt, ...texts]).toEqual(["the value", "the text", "completed"]);
});

async function provideHistory(value: string, grant?: CapabilitiesInfo): Promise<unknown> {
  await using own = await createManagerWorld();
  const { client } = await own.restart('extensions.disabled = ["system-prompt"]');
  await writeExtension(own.path, {
    manifest: { provides: ["prompt-history@1"] },
    activate: `host.provideService(defineHandle("prompt-history@1"), ${value})`,
  });
  const body = { path: own.path, ...(grant === undefined ? {} : { grant }) };
  return await failureOf(client.call(routes.addExtension, { body }));
}

const history = "{ constructions: async () => {}, constructedText: async () => {}, drift: async () => null }";
const provides = { provides: ["prompt-history@1"] };

test("[attack:extension-lacks-methods] [trial:half-service] a service without all methods is rejected when provided", async () => {
  expect(await provideHistory('{ constructions: async () => {}, drift: "none" }', provides)).toMatchObject({
    code: "ACTIVATE_FAILED",
    message: expect.stringContaining('"constructedText" is missing, and must be a function; "drift" is a string'),
  });
});

test("[attack:extension-replaces-service] an unconfirmed extension cannot provide a host service", async () => {
  expect(await provideHistory(history)).toMatchObject({
    code: "GRANT_REQUIRED",
    message: expect.stringContaining("may report system prompts"),
  });
  expect(await provideHistory(history, { provides: [] })).toMatchObject({ code: "CAPABILITY_DENIED" });
  expect(await provideHistory(history, provides)).toBe("it was taken");
});

test("[attack:extension-allows-in-folder] an extension that may approve grants nothing beyond the conversation", async () => {
  const answering = (answer: string): Probe =>
    using(
      "approvals@1",
      `const id = "01a208b1-c1d8-73a5-9e29-a4a01f2b7696";
      return host.getService(defineHandle("approvals@1")).get().answerApproval(id, id, ${answer});`,
    );

  const grant = { uses: ["approvals@1"] };
  for (const truth of ["true", "1", '"yes"', "{}"]) {
    const answer = answering(`{ decision: "allow-always", isForFolder: ${truth} }`);
    expect(await outcomes(answer, grant)).toEqual(["CAPABILITY_DENIED"]);
  }
  expect(await outcomes(answering('{ decision: "allow-always" }'), grant)).toEqual(["CONVERSATION_UNKNOWN"]);
  expect(await outcomes(current("folder-grants@1"), { uses: ["folder-grants@1"] })).toEqual(["CAPABILITY_DENIED"]);
});

test("[attack:extension-inner-service] an internal service of built-in extensions is unavailable to others", async () => {
  for (const service of ["conversation-hand-over@1", "workspace-files@1"])
    expect(await outcomes(current(service), { uses: [service] })).toEqual(["CAPABILITY_DENIED"]);
  expect(await outcomes(current("http-endpoint@1"), undefined)).toEqual(["object"]);
});

test("[attack:extension-storage-driver] an extension with storage cannot access the driver, which holds all data", async () => {
  const storing = (then: string): Probe => ({
    manifest: { capabilities: { storage: true } },
    tries: `await host.storage("own").set("key", "value"); return ${then};`,
  });
  const driver = 'typeof host.getService(defineHandle("storage-driver@1")).current';

  expect(await outcomes(storing(driver), { storage: true })).toEqual(["SERVICE_UNDECLARED"]);
  expect(await outcomes(storing('"stored"'), { storage: true })).toEqual(["stored"]);
});

test("[attack:extension-new-powers] a version that reads more needs another confirmation", async () => {
  const { client, path } = world;
  await writeExtension(path, { manifest: { contributes: ["tools@1"] } });
  await client.call(routes.addExtension, { body: { path } });
  const params = { id: "acme.sample" };
  const swap = async (manifest: object): Promise<unknown> => {
    await writeExtension(path, { manifest: { version: "1.1.0", ...manifest } });
    return failureOf(client.call(routes.swapExtension, { params, body: {} }));
  };

  expect(await swap({ contributes: ["tools@1"], reads: ["tools@1"] })).toMatchObject({
    code: "GRANT_REQUIRED",
    message: expect.stringContaining("may run every tool"),
  });
  expect(await swap({ contributes: ["tools@1", "prompt-variables@1"] })).toBe("it was taken");
  await client.call(routes.removeExtension, { params });
});

test("[attack:extension-kept-before-powers] an extension added before powers existed needs confirmation for sensitive ones", async () => {
  await using own = await createManagerWorld();
  const kept = { id: "acme.sample", path: own.path, versions: "^1.0.0", asked: {}, granted: {} };
  const started = async (manifest: Readonly<Record<string, unknown>>): Promise<unknown> => {
    await own.host.close();
    await writeExtension(own.path, { manifest });
    await Bun.write(join(own.root, "data/extensions.json"), JSON.stringify({ extensions: [kept] }));
    const { client } = await own.restart();
    return (await client.call(routes.getExtension, { params: { id: "acme.sample" } })).extension;
  };

  expect(await started({ reads: ["tools@1"] })).toMatchObject({
    phase: "failed",
    lastError: { code: "GRANT_REQUIRED", message: expect.stringContaining("may run every tool") },
  });
  expect(await started({ contributes: ["tools@1"] })).toMatchObject({
    phase: "active",
    granted: { contributes: ["tools@1"] },
  });
});

test("[attack:extension-preview-file] an extension cannot read a file through a preview", async () => {
  const secret = join(world.root, "secret.txt");
  await Bun.write(secret, "the secret");
  const preview = `const prompt = host.getService(defineHandle("system-prompt@1")).get();
    const options = { defaultCwd: "/", defaultModel: "offline/echo" };
    return (await prompt.preview({ template: "[file:${secret}]", cwd: "/" }, options)).systemPrompt;`;

  const found: unknown[] = [];
  for (const capabilities of [{}, { fs: { read: ["/srv"] } }, { fs: { read: ["/"] } }])
    found.push(
      await probe(world, using("system-prompt@1", preview, capabilities), {
        ...capabilities,
        uses: ["system-prompt@1"],
      }),
    );

  expect(found).toEqual(["CAPABILITY_DENIED", "CAPABILITY_DENIED", "the secret"]);
});

test("[attack:extension-foreign-folder] an extension cannot use prompts or conversations in an unreadable folder", async () => {
  const calls = {
    "system-prompt@1": [
      'assertTrusted("x", "/srv")',
      'construct("x", "/srv")',
      'prepare("x", "/srv")',
      'resolveCall("/srv", undefined)',
      'applyRequestTier("x", "/srv", { system: ["a"], mode: "append" })',
    ],
    "prompt-history@1": ['drift("x", "/srv")'],
    "prompt-templates@1": [
      'lint({ template: "", cwd: "/srv" }, { defaultCwd: "/", defaultModel: "offline/echo" })',
    ],
    "conversations@1": ['create({ cwd: "/srv" })', 'update((await service.create({})).id, { cwd: "/srv" })'],
    "model-calls@1": ['call({ cwd: "/srv", messages: [], tools: [] }, { signal: host.signal })'],
  };
  for (const [service, tried] of Object.entries(calls))
    for (const call of tried) {
      const tries = `const service = host.getService(defineHandle("${service}")).get(); await service.${call}; return "taken";`;
      const found: unknown[] = [];
      for (const capabilities of [{}, { fs: { read: ["/srv"] } }])
        found.push(await probe(world, using(service, tries, capabilities), { ...capabilities, uses: [service] }));
      expect([call, ...found]).toEqual([call, "CAPABILITY_DENIED", "taken"]);
    }
});
