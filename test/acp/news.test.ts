import { methods } from "@agentclientprotocol/sdk/unstable";
import { conversationIdSchema } from "@incipit/schema";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createAcpWorld } from "./acp-world.ts";

test("an editor sets the reasoning effort of all later calls", async () => {
  await using world = await createAcpWorld("[profiles.poet]\nsettings = { temperature = 0.5 }");
  const editor = await world.editor({ args: ["--profile", "poet"] });
  const { agent } = editor;
  const { sessionId, configOptions } = await agent.request(methods.agent.session.new, {
    cwd: world.cwd,
    mcpServers: [],
  });
  const choose = async (value: string): Promise<unknown> => {
    const chosen = await agent.request(methods.agent.session.setConfigOption, {
      sessionId,
      configId: "effort",
      value,
    });
    return chosen.configOptions.find(({ id }) => id === "effort")?.currentValue;
  };

  const chosen = [await choose("high")];
  await editor.prompt(sessionId, "Hello");
  chosen.push(await choose("default"));
  await editor.prompt(sessionId, "Again");
  const refused = await choose("enormous").catch(String);

  expect(configOptions?.find(({ id }) => id === "effort")).toMatchObject({
    category: "thought_level",
    currentValue: "default",
  });
  expect(chosen).toEqual(["high", "default"]);
  const [first, second] = world.model.requests.map(({ body }) => JSON.parse(body));
  expect(first).toMatchObject({ reasoning_effort: "high", temperature: 0.5 });
  expect(second).toMatchObject({ temperature: 0.5 });
  expect(second).not.toHaveProperty("reasoning_effort");
  expect(refused).toContain('unknown effort "enormous"');
});

test("an editor receives a session's title, context usage and external setting changes", async () => {
  await using world = await createAcpWorld();
  const config = await Bun.file(world.options.config).text();
  const windows = ["test", "other"].map((name) => `[providers.local.models.${name}]\ncontext_window = 4000\n`);
  await Bun.write(world.options.config, `${config}${windows.join("")}`);
  const host = await world.host();
  const client = createClient({ url: host.url, token: host.token });
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);

  await editor.prompt(session, "Tides of Porto");
  await editor.waitFor(() => editor.updatesOf(session, "usage_update").length === 1);
  const id = conversationIdSchema.parse(session);
  await client.call(routes.updateConversation, { params: { id }, body: { model: "local/other", title: "Tides" } });
  await editor.prompt(session, "And of Vigo?");
  await editor.waitFor(() => editor.updatesOf(session, "config_option_update").length === 1);
  await editor.waitFor(() => editor.updatesOf(session, "usage_update").length === 2);

  expect(editor.updatesOf(session, "session_info_update").map(({ title }) => title)).toEqual([
    "Tides of Porto",
    "Tides",
  ]);
  expect(editor.updatesOf(session, "usage_update")[0]).toMatchObject({ size: 4_000, used: expect.any(Number) });
  expect(editor.updatesOf(session, "config_option_update")[0]?.configOptions[0]).toMatchObject({
    id: "model",
    currentValue: "local/other",
  });
});

test("only an editor with support for compaction updates receives them", async () => {
  await using world = await createAcpWorld();
  const host = await world.host();
  const client = createClient({ url: host.url, token: host.token });
  const able = await world.editor({ capabilities: { session: { compaction: {} } } });
  const plain = await world.editor();
  const session = await able.newSession(world.cwd);
  await able.prompt(session, "Hello");
  await plain.agent.request(methods.agent.session.load, { sessionId: session, cwd: world.cwd, mcpServers: [] });
  const params = { id: conversationIdSchema.parse(session) };

  await client.call(routes.compactConversation, { params });
  await able.waitFor(() => able.updatesOf(session, "compaction_update").length === 2);
  await Promise.all([able, plain].map((editor) => editor.prompt(session, "And then?")));

  const told = able.updatesOf(session, "compaction_update");
  expect(told.map(({ status }) => status)).toEqual(["in_progress", "completed"]);
  expect(new Set(told.map(({ compactionId }) => compactionId)).size).toBe(1);
  expect(plain.updatesOf(session, "compaction_update")).toEqual([]);
});

test("audio that an editor attaches reaches a model that supports it", async () => {
  await using world = await createAcpWorld();
  const provider = `[providers.google]\nkind = "google"\nbase_url = "${world.model.urlOf("gemini")}"`;
  await Bun.write(world.options.config, `model = "google/gemini-2.5-pro"\n${provider}\n`);
  const editor = await world.editor({ env: { GOOGLE_GENERATIVE_AI_API_KEY: "key" } });
  const session = await editor.newSession(world.cwd);
  const data = Buffer.from("RIFF sound").toString("base64");

  await editor.agent.request(methods.agent.session.prompt, {
    sessionId: session,
    prompt: [
      { type: "text", text: "What is said?" },
      { type: "audio", data, mimeType: "audio/wav" },
    ],
  });

  expect(editor.introduction.agentCapabilities?.promptCapabilities).toMatchObject({ audio: true });
  expect(world.model.requests[0]?.body).toContain(data);
});

test("only an editor with support for notices is informed about retries", async () => {
  await using world = await createAcpWorld();
  const able = await world.editor({ capabilities: { session: { notices: {} } } });
  const session = await able.newSession(world.cwd);
  const busy = { kind: "error", status: 503, body: "busy", headers: { "retry-after": "0" } } as const;
  world.model.enqueue(busy);
  await able.prompt(session, "Hello");
  await able.leave();
  const plain = await world.editor();
  await plain.agent.request(methods.agent.session.resume, { sessionId: session, cwd: world.cwd, mcpServers: [] });
  world.model.enqueue(busy);
  await plain.prompt(session, "Again");

  expect(able.updatesOf(session, "notice")).toMatchObject([
    { severity: "warning", title: expect.stringContaining("Retrying the model in") },
  ]);
  expect(world.model.requests).toHaveLength(4);
  expect(plain.updatesOf(session, "notice")).toEqual([]);
});

test("an editor receives file paths in the current folder of a moved conversation", async () => {
  await using world = await createAcpWorld("tools.workspace = true");
  const moved = join(world.cwd, "moved");
  await Bun.write(join(moved, "a.txt"), "one");
  const host = await world.host();
  const client = createClient({ url: host.url, token: host.token });
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);
  await editor.prompt(session, "Hello");
  const params = { id: conversationIdSchema.parse(session) };
  await client.call(routes.updateConversation, { params, body: { cwd: moved } });
  world.model.enqueue({
    kind: "tool-calls",
    calls: [{ id: "c", name: "read_file", arguments: '{"path":"a.txt"}' }],
  });

  const uri = pathToFileURL(join(moved, "a.txt")).href;
  const prompt = [{ type: "resource_link" as const, name: "a.txt", uri }];
  await editor.agent.request(methods.agent.session.prompt, { sessionId: session, prompt });

  const places = editor.updatesOf(session, "tool_call_update").flatMap(({ locations }) => locations ?? []);
  expect(new Set(places.map(({ path }) => path))).toEqual(new Set([join(moved, "a.txt")]));
  expect(world.model.requests.at(-1)?.body).toContain("[a.txt](a.txt)");
});
