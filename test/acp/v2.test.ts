import { methods, SessionUpdate } from "@agentclientprotocol/sdk/experimental/v2/unstable";
import { methods as methodsV1 } from "@agentclientprotocol/sdk/unstable";
import { conversationIdSchema } from "@incipit/schema";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { chosen, inputOf, spawnAcp } from "./acp-process.ts";
import { AcpProcessV2 } from "./acp-process-v2.ts";
import { createAcpWorld, messagesOf } from "./acp-world.ts";

const toolServer = join(import.meta.dir, "../../packages/host-bin/src/mcp-tools/testing/mcp-fixture-server.ts");
const workspace = "[tools]\nworkspace = true";
const shell = { id: "call-1", name: "shell", arguments: '{"command":"echo ran > ran.txt"}' };

test("incipit acp --v2 announces exactly its capabilities in version 2", async () => {
  await using world = await createAcpWorld();
  await using editor = new AcpProcessV2({ ...world.options, args: ["--v2"] });

  expect(await editor.initialize()).toEqual({
    protocolVersion: 2,
    info: { name: "incipit", title: "Incipit", version: expect.any(String) },
    capabilities: {
      session: {
        prompt: { image: {}, audio: {}, embeddedContext: {} },
        mcp: { stdio: {}, http: {} },
        delete: {},
        fork: {},
        systemPrompt: { mode: { override: {} } },
      },
    },
    authMethods: [],
  });
});

test("a prompt is answered when stored; states, messages and thoughts report the turn", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editorV2();
  const session = await editor.newSession(world.cwd);
  world.model.enqueue({ kind: "text", chunks: ["Four", "."], reasoning: "Two and two." });

  const messageId = await editor.prompt(session, [
    { type: "text", text: "2 + 2 in " },
    { type: "resource_link", name: "a.ts", uri: `file://${join(world.cwd, "a.ts")}` },
  ]);
  await editor.waitForEnds(session, 1);

  expect(editor.messages(session, "user_message_chunk")).toEqual([
    { id: messageId, text: "2 + 2 in [resource_link]" },
  ]);
  expect(editor.said(session)).toEqual(["Four."]);
  expect(editor.states(session)).toEqual([
    { sessionUpdate: "state_update", state: "idle" },
    { sessionUpdate: "state_update", state: "running" },
    {
      sessionUpdate: "state_update",
      state: "idle",
      stopReason: "end_turn",
      usage: expect.objectContaining({ inputTokens: 20, outputTokens: 5 }),
    },
  ]);
  const asked = messagesOf(world.model.requests[0]?.body).find(({ role }) => role === "user");
  expect(asked?.text).toContain("[a.ts](a.ts)");
});

test("two prompts are queued and answered in order, each response when its turn begins", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editorV2();
  const session = await editor.newSession(world.cwd);
  world.model.enqueue(
    { kind: "text", chunks: ["One", " and more."], gate: true },
    { kind: "text", chunks: ["Two."] },
    { kind: "text", chunks: ["Three."] },
  );

  const first = await editor.prompt(session, "first");
  await editor.waitFor(() => editor.said(session)[0] === "One");
  let isInserted = false;
  const second = editor.prompt(session, "second").finally(() => (isInserted = true));
  const third = editor.prompt(session, "third");
  // Later prompts were answered, so these would have been as well.
  await editor.agent.request(methods.agent.session.list, {});
  expect(isInserted).toBe(false);
  world.model.releaseAll();
  const later = await Promise.all([second, third]);
  await editor.waitForEnds(session, 3);

  expect(editor.messages(session, "user_message_chunk")).toEqual([
    { id: first, text: "first" },
    { id: later[0], text: "second" },
    { id: later[1], text: "third" },
  ]);
  expect(editor.said(session)).toEqual(["One and more.", "Two.", "Three."]);
  expect(editor.states(session).map(({ state }) => state)).toEqual([
    "idle",
    "running",
    "idle",
    "running",
    "idle",
    "running",
    "idle",
  ]);
});

test("a tool approval includes a patch of its change, and suspends the session", async () => {
  await using world = await createAcpWorld(workspace);
  const path = join(world.cwd, "a file.txt");
  await Bun.write(path, "one\ntwo\nthree\n");
  const editor = await world.editorV2();
  const session = await editor.newSession(world.cwd);
  editor.answer = async () => chosen("allow");
  const edit = { path: "a file.txt", oldText: "two", newText: "2" };
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "call-1", name: "edit_file", arguments: JSON.stringify(edit) }] },
    { kind: "text", chunks: ["Done."] },
  );

  await editor.prompt(session, "Change it");
  await editor.waitForEnds(session, 1);

  const place = path.slice(1);
  const patch = [
    `diff --git a/${place} b/${place}`,
    `--- a/${place}\t`,
    `+++ b/${place}\t`,
    "@@ -1,3 +1,3 @@",
    " one",
    "-two",
    "+2",
    " three",
    "",
  ].join("\n");
  const diff = {
    type: "diff",
    changes: [{ operation: "modify", path, fileType: "text" }],
    patch: { format: "git_patch", text: patch },
  };
  expect(editor.asked).toMatchObject([
    {
      title: "Edit a file.txt",
      subject: { type: "tool_call", toolCall: { toolCallId: "call-1", kind: "edit", content: [diff] } },
      options: [
        { optionId: "allow" },
        { optionId: "allow-always:file", name: 'Always allow in this session: the file "a file.txt"' },
        { optionId: "allow-always" },
        { optionId: "deny" },
      ],
    },
  ]);
  const calls = editor.updates(session).filter(SessionUpdate.isToolCallUpdate);
  const statuses = calls.flatMap(({ status }) => (status === undefined ? [] : [status]));
  expect(statuses).toEqual(["pending", "in_progress", "completed"]);
  expect(calls.at(-1)).toMatchObject({ toolCallId: "call-1", locations: [{ path }], content: [diff] });
  expect(editor.states(session).map(({ state }) => state)).toEqual([
    "idle",
    "running",
    "requires_action",
    "running",
    "idle",
  ]);
  expect(await Bun.file(path).text()).toBe("one\n2\nthree\n");
  await Bun.write(join(world.cwd, "before.txt"), "one\ntwo\nthree\n");
  await Bun.write(join(world.cwd, "patch"), patch.replaceAll(place, "before.txt").replaceAll("\t\n", "\n"));
  await Bun.$`git apply --unsafe-paths patch`.cwd(world.cwd).quiet();
  expect(await Bun.file(join(world.cwd, "before.txt")).text()).toBe("one\n2\nthree\n");
});

test("session/cancel ends running and queued prompts, and queued ones are not stored", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editorV2();
  const session = await editor.newSession(world.cwd);
  world.model.enqueue({ kind: "text", chunks: ["One", "two"], gate: true });

  await editor.prompt(session, "Count");
  await editor.waitFor(() => editor.said(session)[0] === "One");
  const held = editor.prompt(session, "And on").catch((error: unknown) => error);
  await editor.agent.request(methods.agent.session.list, {});
  await editor.agent.notify(methods.agent.session.cancel, { sessionId: session });

  expect(await held).toMatchObject({ code: -32_800 });
  await editor.waitForEnds(session, 1);
  expect(editor.states(session).at(-1)).toMatchObject({ state: "idle", stopReason: "cancelled" });
  world.model.enqueue({ kind: "text", chunks: ["Again."] });
  await editor.prompt(session, "Go on");
  await editor.waitForEnds(session, 2);
  expect(editor.said(session)).toEqual(["One", "Again."]);
  expect(editor.said(session, "user_message_chunk")).toEqual(["Count", "Go on"]);
});

test("$/cancel_request removes only a queued prompt, and session/close cancels everything", async () => {
  await using world = await createAcpWorld(workspace);
  const editor = await world.editorV2();
  const session = await editor.newSession(world.cwd);
  let isPutAway = false;
  editor.answer = (_request, signal) => {
    signal.addEventListener("abort", () => (isPutAway = true));
    return new Promise(() => {});
  };
  world.model.enqueue({ kind: "tool-calls", calls: [shell] });
  await editor.prompt(session, "Run it");
  await editor.waitFor(() => editor.asked.length === 1);
  const takenBack = new AbortController();

  const held = editor.prompt(session, "And on", takenBack.signal).catch((error: unknown) => error);
  await editor.agent.request(methods.agent.session.list, {});
  takenBack.abort();
  expect(await held).toMatchObject({ code: -32_800 });
  await editor.waitFor(() => editor.states(session).length === 3);
  expect(editor.states(session).at(-1)).toMatchObject({ state: "requires_action" });
  await editor.agent.request(methods.agent.session.close, { sessionId: session });

  expect(editor.written.at(-1)).toContain('"result"');
  expect(editor.written.findLast((line) => line.includes('"state_update"'))).toContain('"cancelled"');
  expect(isPutAway).toBe(true);
  expect(await Bun.file(join(world.cwd, "ran.txt")).exists()).toBe(false);
});

test("a failed turn ends as an error with the reason, after its prompt was accepted", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editorV2();
  const session = await editor.newSession(world.cwd);
  world.model.enqueue({ kind: "error", status: 401, body: '{"error":{"message":"no such key"}}' });

  await editor.prompt(session, "Go");
  await editor.waitForEnds(session, 1);

  expect(editor.states(session).at(-1)).toMatchObject({
    state: "idle",
    stopReason: "error",
    error: { code: -32_603, message: expect.stringContaining("no such key") },
  });
});

test("[byte-prefix] a conversation of version 1 continues in version 2 with its ids", async () => {
  await using world = await createAcpWorld();
  const host = await world.host();
  const one = await world.editor();
  const session = await one.newSession(world.cwd);
  await one.prompt(session, "first");
  await one.leave();

  const two = await world.editorV2();
  const resume = { sessionId: session, cwd: world.cwd };
  const { configOptions } = await two.agent.request(methods.agent.session.resume, {
    ...resume,
    replayFrom: { type: "start" },
  });
  expect(configOptions).toMatchObject([
    { configId: "model", currentValue: "local/test" },
    { configId: "effort", currentValue: "default" },
  ]);
  await two.waitFor(() => two.states(session).length === 1);
  expect(two.said(session, "user_message_chunk")).toEqual(["first"]);
  expect(two.said(session)).toEqual(["Reply 1"]);
  const places = ['"Reply 1"', '"state_update"', '"configOptions"'].map((text) =>
    two.written.findIndex((line) => line.includes(text)),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  const messageId = await two.prompt(session, "second");
  await two.waitForEnds(session, 1);

  const again = await world.editorV2();
  await again.agent.request(methods.agent.session.resume, { ...resume, replayFrom: { type: "start" } });
  await again.waitFor(() => again.states(session).length === 1);
  expect(again.messages(session, "user_message_chunk")).toEqual(two.messages(session, "user_message_chunk"));
  expect(again.messages(session, "user_message_chunk")[1]).toEqual({ id: messageId, text: "second" });
  const bodies = world.model.requests.map(({ body }) => messagesOf(body));
  expect(bodies[1]?.slice(0, bodies[0]?.length)).toEqual([...(bodies[0] ?? [])]);
  expect(bodies[1]?.map(({ text }) => text)).toEqual(["Be of use.", "first", "Reply 1", "second"]);
  expect((await host.constructions(session)).constructions).toHaveLength(1);
});

test("resuming a running session sends its state without history, then its end", async () => {
  await using world = await createAcpWorld(workspace);
  await world.host();
  const first = await world.editorV2();
  const session = await first.newSession(world.cwd);
  world.model.enqueue({ kind: "tool-calls", calls: [shell] }, { kind: "text", chunks: ["Ran."] });
  await first.prompt(session, "Run it");
  await first.waitFor(() => first.asked.length === 1);

  const second = await world.editorV2();
  second.answer = async () => chosen("allow");
  await second.agent.request(methods.agent.session.resume, { sessionId: session, cwd: world.cwd });
  await second.waitForEnds(session, 1);

  expect(second.states(session).map(({ state }) => state)).toEqual(["requires_action", "running", "idle"]);
  expect(second.said(session, "user_message_chunk")).toEqual([]);
  expect(second.said(session)).toEqual(["Ran."]);
});

test("a compaction from another client is reported with a running session state", async () => {
  await using world = await createAcpWorld();
  const host = await world.host();
  const client = createClient({ url: host.url, token: host.token });
  const editor = await world.editorV2();
  const session = await editor.newSession(world.cwd);
  await editor.prompt(session, "Hello");
  await editor.waitForEnds(session, 1);

  await client.call(routes.compactConversation, { params: { id: conversationIdSchema.parse(session) } });
  await editor.waitFor(() => editor.states(session).length === 5);

  const told = editor.updates(session).filter(SessionUpdate.isCompactionUpdate);
  expect(told.map(({ status }) => status)).toEqual(["in_progress", "completed"]);
  expect(editor.states(session).map(({ state }) => state)).toEqual(["idle", "running", "idle", "running", "idle"]);
});

test("sessions can be listed, forked, closed and deleted, and a model selected", async () => {
  await using world = await createAcpWorld();
  const file = join(dirname(world.options.config), "commands/review.md");
  await mkdir(dirname(file), { recursive: true });
  await Bun.write(file, "---\ndescription: Reviews a change\nargument-hint: branch\n---\nReview $1.");
  const editor = await world.editorV2();
  const { session } = methods.agent;
  const systemPrompt = { mode: "override", content: [{ type: "text" as const, text: "You are an otter." }] };
  const { sessionId } = await editor.agent.request(session.new, { cwd: world.cwd, systemPrompt });

  await editor.waitFor(() => editor.updates(sessionId).some(SessionUpdate.isAvailableCommandsUpdate));
  expect(editor.updates(sessionId).filter(SessionUpdate.isAvailableCommandsUpdate)).toMatchObject([
    {
      availableCommands: [
        {
          type: "command",
          name: "review",
          description: "Reviews a change",
          input: { type: "text", hint: "branch" },
        },
      ],
    },
  ]);
  const choice = { sessionId, configId: "model", type: "id", value: "local/other" } as const;
  expect((await editor.agent.request(session.setConfigOption, choice)).configOptions).toMatchObject([
    { configId: "model", currentValue: "local/other" },
    { configId: "effort", currentValue: "default" },
  ]);
  await editor.prompt(sessionId, "/review main");
  await editor.waitForEnds(sessionId, 1);
  const { model, messages } = z
    .object({ model: z.string(), messages: z.array(z.object({ content: z.unknown() })) })
    .parse(JSON.parse(world.model.requests[0]?.body ?? ""));
  expect([model, ...messages.map(({ content }) => content)]).toEqual([
    "other",
    "You are an otter.",
    "Review main.",
  ]);
  const fork = await editor.agent.request(session.fork, { sessionId, cwd: world.cwd });
  await editor.agent.request(session.close, { sessionId });
  await editor.agent.request(session.delete, { sessionId });
  const { sessions } = await editor.agent.request(session.list, { cwd: world.cwd });
  expect(sessions.map((one) => one.sessionId)).toEqual([fork.sessionId]);
});

test("tools of a server that an editor passes are in its session", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editorV2();
  const args = [toolServer, "plain", join(world.cwd, "pids")];
  const server = { type: "stdio" as const, name: "notes", command: process.execPath, args };
  const { sessionId } = await editor.agent.request(methods.agent.session.new, {
    cwd: world.cwd,
    mcpServers: [server],
  });

  await editor.prompt(sessionId, "Hello");
  await editor.waitForEnds(sessionId, 1);

  expect(world.model.requests[0]?.body).toContain('"notes__write"');
});

test("an unsupported method gets a specific error, and the connection stays open", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editorV2();
  const { agent } = editor;
  const sessionId = await editor.newSession(world.cwd);
  const failure = async (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: unknown) => error);
  const at = { sessionId, cwd: world.cwd };
  const server = { type: "_sse" as const, name: "tools", url: "http://127.0.0.1:9" };
  const { session, auth } = methods.agent;

  expect(await failure(agent.request(auth.login, { methodId: "oauth" }))).toMatchObject({ code: -32_601 });
  expect(await failure(agent.request(session.archive, { sessionId }))).toMatchObject({ code: -32_601 });
  expect(await failure(agent.request("session/load", at))).toMatchObject({ code: -32_601 });
  expect(await failure(agent.request("_acme/none", {}))).toMatchObject({ code: -32_601 });
  expect(await failure(agent.request(session.new, { cwd: world.cwd, mcpServers: [server] }))).toMatchObject({
    code: -32_602,
    data: { type: "_sse" },
  });
  expect(await failure(agent.request(session.new, { cwd: "work" }))).toMatchObject({ code: -32_602 });
  const more = { cwd: world.cwd, additionalDirectories: ["/tmp"] };
  expect(await failure(agent.request(session.new, more))).toMatchObject({ code: -32_602 });
  const replay = { ...at, replayFrom: { type: "_event" as const, seq: 3 } };
  expect(await failure(agent.request(session.resume, replay))).toMatchObject({ code: -32_602 });
  const value = { sessionId, configId: "model", type: "boolean", value: true } as const;
  expect(await failure(agent.request(session.setConfigOption, value))).toMatchObject({ code: -32_602 });
  const block = { type: "_video" as const, data: "" };
  expect(await failure(editor.prompt(sessionId, [block]))).toMatchObject({ code: -32_602 });
  expect(await failure(editor.prompt("none", "Hello"))).toMatchObject({
    code: -32_002,
    data: { sessionId: "none" },
  });
  const call = { sessionId, toolCallId: "call-1" };
  expect(await failure(agent.request(methods.agent.toolCall.cancel, call))).toMatchObject({ code: -32_602 });

  await editor.prompt(sessionId, "Hello");
  await editor.waitForEnds(sessionId, 1);
  expect(editor.said(sessionId)).toEqual(["Reply 1"]);
});

test("an editor that requests version 1 gets it from incipit acp --v2", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editor({ args: ["--v2"] });

  expect(editor.introduction).toMatchObject({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
  const session = await editor.newSession(world.cwd);
  expect(await editor.prompt(session, "Hello")).toMatchObject({ stopReason: "end_turn" });
  expect(editor.said(session)).toBe("Reply 1");
  expect(editor.updates(session).map(({ sessionUpdate }) => sessionUpdate)).not.toContain("state_update");
  await editor.agent.request(methodsV1.agent.session.load, { sessionId: session, cwd: world.cwd, mcpServers: [] });
  expect(await editor.leave()).toBe(0);
});

test("an editor that requests version 2 gets version 1 without --v2", async () => {
  await using world = await createAcpWorld();
  await using child = spawnAcp(world.options);
  const params = { protocolVersion: 2, info: { name: "test", version: "1" }, capabilities: {} };

  const initialize = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });

  const [answers] = await exchange(child, [{ lines: [initialize], answers: 1 }]);

  expect(answers).toMatchObject([{ id: 1, result: { protocolVersion: 1, agentInfo: { name: "incipit" } } }]);
});

test("invalid lines get errors before and after version 2 is chosen", async () => {
  await using world = await createAcpWorld();
  await using child = spawnAcp({ ...world.options, args: ["--v2"] });
  const params = { protocolVersion: 2, info: { name: "test", version: "1" } };
  const line = (message: object): string => JSON.stringify({ jsonrpc: "2.0", ...message });
  const before = {
    lines: [
      '{"half',
      "[]",
      line({ id: 1, method: "session/list", params: {} }),
      line({ id: 2, method: "initialize", params: { protocolVersion: 0 } }),
      line({ id: 3, method: "initialize", params: { protocolVersion: 2 } }),
      line({ id: 4, method: "initialize", params }),
    ],
    expected: [
      { id: null, error: { code: -32_700 } },
      { id: null, error: { code: -32_600 } },
      { id: 1, error: { code: -32_600 } },
      { id: 2, error: { code: -32_022, data: { requested: 0, supported: [1, 2] } } },
      { id: 3, error: { code: -32_602 } },
      { id: 4, result: { protocolVersion: 2 } },
    ],
  };
  const after = {
    lines: [
      "garbage",
      "7",
      line({ id: 5, method: "no/such", params: {} }),
      line({ id: 6, method: "session/prompt", params: { sessionId: 7 } }),
      line({ method: "no/such" }),
      line({ id: 7, method: "session/list", params: {} }),
    ],
    expected: [
      { id: null, error: { code: -32_700 } },
      { id: null, error: { code: -32_600 } },
      { id: 5, error: { code: -32_601 } },
      { id: 6, error: { code: -32_602 } },
      { id: 7, result: { sessions: [] } },
    ],
  };

  const rounds = [before, after].map(({ lines, expected }) => ({ lines, answers: expected.length }));
  const answers = await exchange(child, rounds);

  for (const [index, { expected }] of [before, after].entries())
    for (const one of expected) expect(answers[index]).toContainEqual(expect.objectContaining(matching(one)));
});

test("incipit acp --v2 exits on a signal", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editorV2();
  await editor.newSession(world.cwd);

  expect(await editor.kill("SIGTERM")).toBe(0);
});

interface Round {
  readonly lines: readonly string[];
  readonly answers: number;
}

/**
 * Returns the agent's output for rounds of lines, each sent after the responses of the previous one; then closes stdin.
 */
async function exchange(
  child: ReturnType<typeof spawnAcp>,
  rounds: readonly Round[],
): Promise<readonly (readonly unknown[])[]> {
  const input = inputOf(child).getWriter();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const read: unknown[][] = [];
  for (const { lines, answers } of rounds) {
    await input.write(new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
    const written: unknown[] = [];
    while (written.length < answers) {
      const { done, value } = await output.read();
      if (done) break;
      const parts = (text + value).split("\n");
      text = parts.pop() ?? "";
      written.push(...parts.map((part): unknown => JSON.parse(part)));
    }
    read.push(written);
  }
  await child.stdin.end();
  expect(await child.exited).toBe(0);
  return read;
}

function matching({ error, result, ...rest }: { readonly error?: object; readonly result?: object }): object {
  return {
    ...rest,
    ...(error === undefined ? {} : { error: expect.objectContaining(error) }),
    ...(result === undefined ? {} : { result: expect.objectContaining(result) }),
  };
}
