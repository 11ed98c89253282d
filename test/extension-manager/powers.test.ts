import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createManagerWorld, failureOf, writeExtension } from "./manager-world.ts";
import { probe, type Probe } from "./probe.ts";

test("[attack:extension-runs-tools] an unconfirmed extension cannot call the shell tool", async () => {
  await using world = await createManagerWorld({ PATH: process.env["PATH"] ?? "" });
  const reader = {
    manifest: { reads: ["tools@1"] },
    tries: `const { current } = host.contributions(definePoint("tools@1"));
    const shell = current.find(({ value }) => value.name === "shell");
    return shell.value.execute({ command: "echo taken" }, { conversationId: "x", cwd: "/tmp", signal: host.signal });`,
  };
  await world.restart("tools.workspace = true");

  expect(await probe(world, reader)).toBe("GRANT_REQUIRED");
  expect(await probe(world, reader, { reads: [] })).toBe("CAPABILITY_DENIED");
  expect(await probe(world, reader, { reads: ["tools@1"] })).toContain("taken");
});

test("[attack:extension-calls-models] an unconfirmed extension cannot call models of others", async () => {
  await using world = await createManagerWorld();
  const caller = {
    manifest: { reads: ["model-providers@1"] },
    tries: `const { current } = host.contributions(definePoint("model-providers@1"));
    return current.map(({ value }) => typeof value.stream);`,
  };

  expect(await probe(world, caller)).toBe("GRANT_REQUIRED");
  expect(await probe(world, caller, {})).toBe("CAPABILITY_DENIED");
  expect(await probe(world, caller, { reads: ["model-providers@1"] })).toContain("function");
});

test("[attack:extension-reads-conversations] an unconfirmed extension reads no conversation and sends no turn", async () => {
  await using world = await createManagerWorld();
  const reader = {
    manifest: { dependsOn: { optional: ["conversations@1"] } },
    tries: `const conversations = host.getService(defineHandle("conversations@1")).get();
    const { id } = await conversations.create({});
    await conversations.send(id, { input: "hello" });
    return (await conversations.list({ limit: 5 })).items.length;`,
  };

  expect(await probe(world, reader)).toBe("GRANT_REQUIRED");
  expect(await probe(world, reader, {})).toBe("CAPABILITY_DENIED");
  expect(await probe(world, reader, { uses: ["conversations@1"] })).toBe(1);
});

test("[attack:extension-approves-itself] an extension that may send turns cannot approve their calls", async () => {
  await using world = await createManagerWorld();
  const approving = (service: string): Probe => ({
    manifest: { dependsOn: { optional: [service] } },
    tries: `const service = host.getService(defineHandle("${service}")).get();
    return Object.keys(service).includes("answerApproval");`,
  });

  expect(await probe(world, approving("conversations@1"), { uses: ["conversations@1"] })).toBe(false);
  expect(await probe(world, approving("approvals@1"))).toBe("GRANT_REQUIRED");
  expect(await probe(world, approving("approvals@1"), { uses: ["conversations@1"] })).toBe("CAPABILITY_DENIED");
  expect(await probe(world, approving("approvals@1"), { uses: ["approvals@1"] })).toBe(true);
});

test("[attack:extension-lacks-methods] [trial:half-service] a service without all methods is rejected when provided", async () => {
  await using world = await createManagerWorld();
  const { client } = await world.restart('extensions.disabled = ["system-prompt"]');
  const provide = async (value: string): Promise<unknown> => {
    await writeExtension(world.path, {
      manifest: { provides: ["prompt-history@1"] },
      activate: `host.provideService(defineHandle("prompt-history@1"), ${value})`,
    });
    const body = { path: world.path, grant: { provides: ["prompt-history@1"] } };
    return failureOf(client.call(routes.addExtension, { body }));
  };

  expect(await provide('{ constructions: async () => {}, drift: "none" }')).toMatchObject({
    code: "ACTIVATE_FAILED",
    message: expect.stringContaining('"constructedText" is missing, and must be a function; "drift" is a string'),
  });
  expect(
    await provide("{ constructions: async () => {}, constructedText: async () => {}, drift: async () => null }"),
  ).toBe("it was taken");
});

test("[attack:extension-broken-contribution] an unusable contribution is rejected immediately", async () => {
  await using world = await createManagerWorld();
  const manifest = { contributes: ["tools@1", "prompt-variables@1"] };
  const giving = (point: string, value: string): Promise<unknown> =>
    probe(world, { manifest, tries: `host.contribute(definePoint("${point}"), ${value}); return "taken";` });
  const tool = 'name: "a", description: "b", inputSchema: {}';

  expect(await giving("tools@1", `{ ${tool} }`)).toBe("CONTRIBUTION_INVALID");
  expect(await giving("tools@1", "null")).toBe("CONTRIBUTION_INVALID");
  expect(await giving("tools@1", `{ ${tool}, get execute() { throw new Error("no"); } }`)).toBe(
    "CONTRIBUTION_INVALID",
  );
  expect(await giving("prompt-variables@1", '{ type: "a", resolve: () => {} }')).toBe("CONTRIBUTION_INVALID");
  expect(await giving("tools@1", `{ ${tool}, execute: () => "text" }`)).toBe("taken");
});

test("[attack:extension-at-once] synchronous tools, variables, models and promised events work", async () => {
  await using world = await createManagerWorld();
  const { client, path } = world;
  const usage = "{ inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null }";
  await writeExtension(path, {
    manifest: { contributes: ["tools@1", "prompt-variables@1", "model-providers@1"] },
    activate: `host.contribute(definePoint("tools@1"), { name: "at_once", description: "d", inputSchema: { type: "object" }, approval: "allow", execute: () => "the text" });
    host.contribute(definePoint("prompt-variables@1"), { type: "sample", variables: [{ name: "a", description: "b" }], resolve: () => ({ value: "the value" }) });
    host.contribute(definePoint("model-providers@1"), { id: "acme", models: ["one"], problem: null, stream: async ({ messages }) => (async function* () {
      const result = messages.flatMap(({ parts }) => parts).find(({ type }) => type === "tool-result");
      if (result === undefined) yield { type: "tool-call", toolCallId: "1", name: "at_once", input: "{}" };
      else yield* [{ type: "text-start", partId: "0" }, { type: "text-delta", partId: "0", text: result.output }, { type: "text-end", partId: "0" }];
      yield { type: "finish", usage: ${usage}, finishReason: result === undefined ? "tool-calls" : "stop" };
    })() })`,
  });
  await client.call(routes.addExtension, {
    body: { path, grant: { contributes: ["tools@1", "prompt-variables@1", "model-providers@1"] } },
  });
  const { systemPrompt } = await client.call(routes.previewSystemPrompt, { body: { template: "[sample:a]" } });
  const { conversation } = await client.call(routes.createConversation, { body: { model: "acme/one" } });

  const texts: string[] = [];
  for await (const event of client.sendTurn(conversation.id, { input: "Go" })) {
    if (event.type === "text-end") texts.push(event.text);
    if (event.type === "turn-end") texts.push(event.status);
  }

  expect([systemPrompt, ...texts]).toEqual(["the value", "the text", "completed"]);
});

test("[attack:extension-sees-prompts] an unconfirmed extension cannot read prompts", async () => {
  await using world = await createManagerWorld();
  for (const service of [
    "system-prompt@1",
    "prompt-templates@1",
    "prompt-history@1",
    "step-records@1",
    "model-calls@1",
    "client-conversations@1",
  ]) {
    const reader = {
      manifest: { dependsOn: { optional: [service] } },
      tries: `return typeof host.getService(defineHandle("${service}")).current;`,
    };
    expect(await probe(world, reader)).toBe("GRANT_REQUIRED");
    expect(await probe(world, reader, { uses: [service] })).toBe("object");
  }
});

test("[attack:extension-adds-to-prompts] an unconfirmed extension cannot add to prompts", async () => {
  await using world = await createManagerWorld();
  const adding = {
    manifest: { contributes: ["prompt-segments@1"] },
    tries: `host.contribute(definePoint("prompt-segments@1"), { id: "acme", order: 1, text: () => "obey" }); return "added";`,
  };

  expect(await probe(world, adding)).toBe("GRANT_REQUIRED");
  expect(await probe(world, adding, { contributes: ["prompt-segments@1"] })).toBe("added");
});

test("[attack:extension-answers-for-models] an unconfirmed extension cannot replace a model", async () => {
  await using world = await createManagerWorld();
  const answering = {
    manifest: { contributes: ["model-providers@1"] },
    tries: `host.contribute(definePoint("model-providers@1"), { id: "acme", models: [], problem: null, stream: async function* () {} });
    return "added";`,
  };

  expect(await probe(world, answering)).toBe("GRANT_REQUIRED");
  expect(await probe(world, answering, { contributes: ["model-providers@1"] })).toBe("added");
});

test("[attack:extension-observes-work] an unconfirmed extension receives no turn events", async () => {
  await using world = await createManagerWorld();
  const observing = {
    manifest: { contributes: ["work-observers@1"] },
    tries: `host.contribute(definePoint("work-observers@1"), { id: "acme", observe: () => {} }); return "added";`,
  };

  expect(await probe(world, observing)).toBe("GRANT_REQUIRED");
  expect(await probe(world, observing, { contributes: ["work-observers@1"] })).toBe("added");
});

test("[attack:extension-resolves-variables] an unconfirmed extension cannot read variables of another", async () => {
  await using world = await createManagerWorld();
  const resolving = {
    manifest: { reads: ["prompt-variables@1"] },
    tries: `return host.contributions(definePoint("prompt-variables@1")).current.length;`,
  };

  expect(await probe(world, resolving)).toBe("GRANT_REQUIRED");
  expect(await probe(world, resolving, { reads: ["prompt-variables@1"] })).toBe(2); // The skill list and the context files.
});

test("[attack:extension-replaces-service] an unconfirmed extension cannot provide a host service", async () => {
  await using world = await createManagerWorld();
  const { client } = await world.restart('extensions.disabled = ["system-prompt"]');
  await writeExtension(world.path, {
    manifest: { provides: ["prompt-history@1"] },
    activate: `host.provideService(defineHandle("prompt-history@1"),
      { constructions: async () => {}, constructedText: async () => "obey", drift: async () => null })`,
  });
  const add = async (grant?: { readonly provides: string[] }): Promise<unknown> => {
    const body = { path: world.path, ...(grant === undefined ? {} : { grant }) };
    return failureOf(client.call(routes.addExtension, { body }));
  };

  expect(await add()).toMatchObject({
    code: "GRANT_REQUIRED",
    message: expect.stringContaining("may report system prompts"),
  });
  expect(await add({ provides: [] })).toMatchObject({ code: "CAPABILITY_DENIED" });
  expect(await add({ provides: ["prompt-history@1"] })).toBe("it was taken");
});

test("[attack:extension-allows-in-folder] an extension that may approve grants nothing beyond the conversation", async () => {
  await using world = await createManagerWorld();
  const answering = (answer: string): Probe => ({
    manifest: { dependsOn: { optional: ["approvals@1"] } },
    tries: `const id = "01a208b1-c1d8-73a5-9e29-a4a01f2b7696";
    return host.getService(defineHandle("approvals@1")).get().answerApproval(id, id, ${answer});`,
  });
  const keeper = {
    manifest: { dependsOn: { optional: ["folder-grants@1"] } },
    tries: `return typeof host.getService(defineHandle("folder-grants@1")).current;`,
  };

  const grant = { uses: ["approvals@1"] };
  for (const truth of ["true", "1", '"yes"', "{}"])
    expect(await probe(world, answering(`{ decision: "allow-always", isForFolder: ${truth} }`), grant)).toBe(
      "CAPABILITY_DENIED",
    );
  expect(await probe(world, answering('{ decision: "allow-always" }'), grant)).toBe("CONVERSATION_UNKNOWN");
  expect(await probe(world, keeper, { uses: ["folder-grants@1"] })).toBe("CAPABILITY_DENIED");
});

test("[attack:extension-inner-service] an internal service of built-in extensions is unavailable to others", async () => {
  await using world = await createManagerWorld();
  const service = (name: string) => ({
    manifest: { dependsOn: { optional: [name] } },
    tries: `return typeof host.getService(defineHandle("${name}")).current;`,
  });

  const inner = { uses: ["conversation-hand-over@1"] };
  expect(await probe(world, service("conversation-hand-over@1"), inner)).toBe("CAPABILITY_DENIED");
  expect(await probe(world, service("workspace-files@1"), { uses: ["workspace-files@1"] })).toBe(
    "CAPABILITY_DENIED",
  );
  expect(await probe(world, service("http-endpoint@1"))).toBe("object");
});

test("[attack:extension-storage-driver] an extension with storage cannot access the driver, which holds all data", async () => {
  await using world = await createManagerWorld();
  const reader = {
    manifest: { capabilities: { storage: true } },
    tries: `await host.storage("own").set("key", "value");
    return typeof host.getService(defineHandle("storage-driver@1")).current;`,
  };
  const storing = { ...reader, tries: `await host.storage("own").set("key", "value"); return "stored";` };

  expect(await probe(world, reader, { storage: true })).toBe("SERVICE_UNDECLARED");
  expect(await probe(world, storing, { storage: true })).toBe("stored");
});

test("[attack:extension-new-powers] a version that reads more needs another confirmation", async () => {
  await using world = await createManagerWorld();
  const { client, path } = world;
  await writeExtension(path, { manifest: { contributes: ["tools@1"] } });
  await client.call(routes.addExtension, { body: { path } });
  const swap = (): Promise<unknown> =>
    failureOf(client.call(routes.swapExtension, { params: { id: "acme.sample" }, body: {} }));

  await writeExtension(path, { manifest: { version: "1.1.0", contributes: ["tools@1"], reads: ["tools@1"] } });
  expect(await swap()).toMatchObject({
    code: "GRANT_REQUIRED",
    message: expect.stringContaining("may run every tool"),
  });
  await writeExtension(path, { manifest: { version: "1.1.0", contributes: ["tools@1", "prompt-variables@1"] } });
  expect(await swap()).toBe("it was taken");
});

test("[attack:extension-kept-before-powers] an extension added before powers existed needs confirmation for sensitive ones", async () => {
  await using world = await createManagerWorld();
  const { path } = world;
  const kept = { id: "acme.sample", path, versions: "^1.0.0", asked: {}, granted: {} };
  const started = async (manifest: Readonly<Record<string, unknown>>): Promise<unknown> => {
    await world.host.close();
    await writeExtension(path, { manifest });
    await Bun.write(join(world.root, "data/extensions.json"), JSON.stringify({ extensions: [kept] }));
    const { client } = await world.restart();
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

const previewing = { optional: ["system-prompt@1"] };

test("[attack:extension-preview-file] an extension cannot read a file through a preview", async () => {
  await using world = await createManagerWorld();
  const secret = join(world.root, "secret.txt");
  await Bun.write(secret, "the secret");
  const reader = (capabilities: object): Probe => ({
    manifest: { capabilities, dependsOn: previewing },
    tries: `const prompt = host.getService(defineHandle("system-prompt@1")).get();
    const options = { defaultCwd: "/", defaultModel: "offline/echo" };
    return (await prompt.preview({ template: "[file:${secret}]", cwd: "/" }, options)).systemPrompt;`,
  });
  const uses = ["system-prompt@1"];

  expect(await probe(world, reader({}), { uses })).toBe("CAPABILITY_DENIED");
  const elsewhere = { fs: { read: ["/srv"] } };
  expect(await probe(world, reader(elsewhere), { ...elsewhere, uses })).toBe("CAPABILITY_DENIED");
  const granted = { fs: { read: ["/"] } };
  expect(await probe(world, reader(granted), { ...granted, uses })).toBe("the secret");
});

test("[attack:extension-foreign-folder] an extension cannot use prompts or conversations in an unreadable folder", async () => {
  await using world = await createManagerWorld();
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
  for (const [service, tried] of Object.entries(calls)) {
    for (const call of tried) {
      const calling = (capabilities: object): Probe => ({
        manifest: { capabilities, dependsOn: { optional: [service] } },
        tries: `const service = host.getService(defineHandle("${service}")).get(); await service.${call}; return "taken";`,
      });
      const granted = { fs: { read: ["/srv"] } };
      expect([call, await probe(world, calling({}), { uses: [service] })]).toEqual([call, "CAPABILITY_DENIED"]);
      expect([call, await probe(world, calling(granted), { ...granted, uses: [service] })]).toEqual([
        call,
        "taken",
      ]);
    }
  }
});
