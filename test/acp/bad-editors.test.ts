import { conversationIdSchema, type Message } from "@incipit/schema";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { createAcpWorld, type AcpWorld } from "./acp-world.ts";

const methodNotFound = -32_601;

function promptOf(sessionId: string, text: string): object {
  return { sessionId, prompt: [{ type: "text", text }] };
}

async function processesOf({ options }: AcpWorld): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      return command.includes(options.data) ? [`${pid}: ${command}`] : [];
    }),
  );
  return commands.flat();
}

async function historyOf(world: AcpWorld, sessionId: string): Promise<readonly string[]> {
  await using host = await world.host();
  const client = createClient({ url: host.url, token: host.token });
  const params = { id: conversationIdSchema.parse(sessionId) };
  const { messages } = await client.call(routes.listMessages, { params });
  return messages.map(textOf);
}

function textOf({ role, parts }: Message): string {
  return `${role}: ${parts.map((part) => (part.type === "text" ? part.text : part.type)).join("")}`;
}

test("an incomplete line waits for its rest during other traffic", async () => {
  await using world = await createAcpWorld();
  const editor = world.rawEditor();
  await editor.initialize();
  const sessionId = await editor.newSession(world.cwd);
  world.model.enqueue({ kind: "text", chunks: ["One", " two"], gate: true });
  await editor.send({ id: "prompt", method: "session/prompt", params: promptOf(sessionId, "Count") });
  await editor.until(() => editor.said.includes("One"));

  const line = JSON.stringify({ jsonrpc: "2.0", id: "half", method: "no/such_method", params: { text: "é" } });
  await editor.write(line.slice(0, 30));
  world.model.releaseAll();
  const { result } = await editor.answerTo("prompt");
  const before = editor.answersTo("half").length;
  await editor.write(`${line.slice(30)}\n`);

  expect(result).toMatchObject({ stopReason: "end_turn" });
  expect(before).toBe(0);
  expect(await editor.answerTo("half")).toMatchObject({ error: { code: methodNotFound } });
});

test("an incomplete line at the end of input is a parse error", async () => {
  await using world = await createAcpWorld();
  const editor = world.rawEditor();
  await editor.initialize();
  await editor.newSession(world.cwd);
  await editor.write('{"jsonrpc":"2.0","id":7,"method":"session/li');

  expect(await editor.leave()).toBe(0);
  expect(editor.answersTo(null)).toMatchObject([{ error: { code: -32_700 } }]);
  expect(await processesOf(world)).toEqual([]);
});

test("a line of 50 MB gets an error, and later lines are processed", async () => {
  await using world = await createAcpWorld();
  const editor = world.rawEditor();
  await editor.initialize();
  const sessionId = await editor.newSession(world.cwd);

  await editor.send({ id: "long", method: "session/prompt", params: promptOf(sessionId, "x".repeat(50_000_000)) });
  const { result } = await editor.request("session/prompt", promptOf(sessionId, "Hello"));

  expect(editor.answersTo(null)).toMatchObject([
    { error: { code: -32_600, message: expect.stringContaining("send less") } },
  ]);
  expect(editor.answersTo("long")).toEqual([]);
  expect(result).toMatchObject({ stopReason: "end_turn" });
  expect(world.model.requests).toHaveLength(1);
});

test("unknown methods are rejected, unknown notifications ignored, and invalid params explained", async () => {
  await using world = await createAcpWorld();
  const editor = world.rawEditor();
  await editor.initialize();
  const sessionId = await editor.newSession(world.cwd);
  await editor.send({ method: "no/such_notification", params: {} });
  await editor.send({ method: "session/cancel", params: { sessionId: 7 } });
  await editor.send({ method: "session/cancel", params: { sessionId: "nobody" } });
  await editor.send({ method: "session/cancel" });
  const before = editor.messages.filter(({ method }) => method === undefined).length;
  const unknown = await editor.request("no/such_method", { sessionId });
  const wrong = [
    await editor.request("session/prompt", []),
    await editor.request("session/prompt", "text"),
    await editor.request("session/prompt", null),
    await editor.request("session/prompt", { sessionId, prompt: "Hello" }),
    await editor.request("session/prompt", { sessionId, prompt: [{ type: "smell" }] }),
    await editor.request("session/prompt", { sessionId, prompt: [] }),
    await editor.request("session/new", { cwd: 7, mcpServers: [] }),
    await editor.request("session/new", { cwd: "../relative", mcpServers: [] }),
    await editor.request("session/list", { cursor: "nonsense" }),
    await editor.request("session/set_config_option", {
      sessionId,
      configId: "model",
      value: true,
      type: "boolean",
    }),
  ];

  expect(unknown.error?.code).toBe(methodNotFound);
  expect(wrong.map(({ error }) => error?.code)).toEqual(wrong.map(() => -32_602));
  expect(editor.messages.filter(({ method }) => method === undefined)).toHaveLength(before + 1 + wrong.length);
  expect((await editor.request("session/prompt", promptOf(sessionId, "Hello"))).result).toMatchObject({
    stopReason: "end_turn",
  });
});

test("unusual and reused request ids are each answered or rejected, and nothing stops", async () => {
  await using world = await createAcpWorld();
  const editor = world.rawEditor();
  await editor.initialize();
  const sessionId = await editor.newSession(world.cwd);
  world.model.enqueue({ kind: "text", chunks: ["One", "."], gate: true }, { kind: "text", chunks: ["Two."] });
  const strange = [1.5, -1, "", "0", 0, Number.MAX_SAFE_INTEGER];
  for (const id of strange) await editor.send({ id, method: "no/such_method", params: {} });
  for (const id of [{}, [], true]) await editor.send({ id, method: "no/such_method", params: {} });
  await editor.send({ id: "twice", method: "session/prompt", params: promptOf(sessionId, "first") });
  await editor.until(() => editor.said.includes("One"));
  await editor.send({ id: "twice", method: "session/prompt", params: promptOf(sessionId, "second") });
  world.model.releaseAll();
  await editor.until(() => editor.answersTo("twice").length === 2);
  await editor.send({ id: "nobody-asked", result: { outcome: { outcome: "cancelled" } } });

  expect((await editor.request("no/such_method", {})).error?.code).toBe(methodNotFound);
  expect(strange.map((id) => editor.answersTo(id).map(({ error }) => error?.code))).toEqual(
    strange.map(() => [methodNotFound]),
  );
  expect(editor.answersTo("twice")).toMatchObject([
    { result: { stopReason: "end_turn" } },
    { result: { stopReason: "end_turn" } },
  ]);
});

test("prompts during a turn are queued and answered in order", async () => {
  await using world = await createAcpWorld();
  const editor = world.rawEditor();
  await editor.initialize();
  const sessionId = await editor.newSession(world.cwd);
  world.model.enqueue({ kind: "text", chunks: ["One", "."], gate: true });
  const ids = ["first", "second", "third", "fourth"];

  await editor.write(
    ids
      .map((id) => ({ jsonrpc: "2.0", id, method: "session/prompt", params: promptOf(sessionId, id) }))
      .map((message) => `${JSON.stringify(message)}\n`)
      .join(""),
  );
  await editor.until(() => editor.said.includes("One"));
  world.model.releaseAll();
  await editor.answerTo("fourth");

  const answered = editor.messages.filter(({ result }) => result?.["stopReason"] !== undefined);
  expect(answered.map(({ id }) => id)).toEqual(ids);
  expect(world.model.requests).toHaveLength(4);
});

test.each(["is killed", "closes its end"] as const)(
  "an editor that %s during a prompt does not affect a separate host",
  async (how) => {
    await using world = await createAcpWorld();
    const host = await world.host();
    const client = createClient({ url: host.url, token: host.token });
    const editor = world.rawEditor();
    await editor.initialize();
    const sessionId = await editor.newSession(world.cwd);
    const id = conversationIdSchema.parse(sessionId);
    world.model.enqueue({ kind: "text", chunks: ["One", " two", " three"], gate: true });
    await editor.send({ id: 1, method: "session/prompt", params: promptOf(sessionId, "Count") });
    await editor.until(() => editor.said.includes("One"));

    await (how === "is killed" ? editor.kill() : editor.leave());
    world.model.releaseAll();
    for await (const { type } of client.followEvents(id, { afterSeq: 0 })) if (type === "turn-end") break;

    const { messages } = await client.call(routes.listMessages, { params: { id } });
    expect(messages.map(textOf)).toEqual(["user: Count", "assistant: One two three"]);
    const again = world.rawEditor();
    await again.initialize();
    await again.request("session/load", { sessionId, cwd: world.cwd, mcpServers: [] });
    expect(again.said).toBe("CountOne two three");
  },
);

test("incipit acp ends with an editor that leaves while its session opens", async () => {
  await using world = await createAcpWorld();
  await using _host = await world.host();
  const server = { name: "x", command: "/nowhere/x", args: [], env: [] };
  // Each requested list lets the opening session advance, so that the editor leaves at each step.
  const leaveAfter = async (lists: number): Promise<number> => {
    const editor = world.rawEditor();
    await editor.initialize();
    await editor.send({ id: "open", method: "session/new", params: { cwd: world.cwd, mcpServers: [server] } });
    for (let count = 0; count < lists; count += 1) await editor.request("session/list", {});
    return editor.leave();
  };

  for (let round = 0; round < 4; round += 1)
    expect(await Promise.all([0, 1, 2, 3, 4, 5].map(leaveAfter))).toEqual(Array(6).fill(0));
}, 60_000);

test("an editor that closes stdin during a prompt lets the in-process host finish and exit", async () => {
  await using world = await createAcpWorld();
  const editor = world.rawEditor();
  await editor.initialize();
  const sessionId = await editor.newSession(world.cwd);
  world.model.enqueue({ kind: "text", chunks: ["One", " two"], gate: true });
  await editor.send({ id: 1, method: "session/prompt", params: promptOf(sessionId, "Count") });
  await editor.until(() => editor.said.includes("One"));

  const left = editor.leave();
  world.model.releaseAll();

  expect(await left).toBe(0);
  expect(await processesOf(world)).toEqual([]);
  expect(await historyOf(world, sessionId)).toEqual(["user: Count", "assistant: One two"]);
});

test("killing an agent with its in-process host leaves no process, and the conversation continues", async () => {
  await using world = await createAcpWorld();
  const editor = world.rawEditor();
  await editor.initialize();
  const sessionId = await editor.newSession(world.cwd);
  await editor.request("session/prompt", promptOf(sessionId, "Hello"));
  world.model.enqueue({ kind: "text", chunks: ["One", " two"], gate: true });
  await editor.send({ id: 1, method: "session/prompt", params: promptOf(sessionId, "Count") });
  await editor.until(() => editor.said.includes("One"));

  await editor.kill();
  const left = await processesOf(world);
  const again = world.rawEditor();
  await again.initialize();
  const loaded = await again.request("session/load", { sessionId, cwd: world.cwd, mcpServers: [] });
  const told = again.said;
  const { result } = await again.request("session/prompt", promptOf(sessionId, "Go on"));

  expect(left).toEqual([]);
  expect(loaded.error).toBeUndefined();
  expect(told).toBe("HelloReply 1CountOne");
  expect(result).toMatchObject({ stopReason: "end_turn" });
});

test("an editor with 1,000 sessions receives missed messages when it uses one again", async () => {
  await using world = await createAcpWorld();
  const host = await world.host();
  const client = createClient({ url: host.url, token: host.token });
  const editor = world.rawEditor();
  await editor.initialize();
  const sessions: string[] = [];
  for (let count = 0; count < 1_000; count += 1) sessions.push(await editor.newSession(world.cwd));

  const [first = "", last = ""] = [sessions[0], sessions.at(-1)];
  const id = conversationIdSchema.parse(first);
  for await (const { type } of client.sendTurn(id, { input: "From elsewhere" })) if (type === "turn-end") break;
  const answers = [
    await editor.request("session/prompt", promptOf(first, "Hello")),
    await editor.request("session/prompt", promptOf(last, "Hello")),
  ];

  expect(new Set(sessions).size).toBe(1_000);
  expect(answers).toMatchObject([{ result: { stopReason: "end_turn" } }, { result: { stopReason: "end_turn" } }]);
  expect(editor.said).toBe("From elsewhereReply 1Reply 2Reply 3");
});
