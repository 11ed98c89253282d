import { methods } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { chosen } from "./acp-process.ts";
import { createAcpWorld, messagesOf, openSession } from "./acp-world.ts";

const workspace = "[tools]\nworkspace = true";

test("incipit acp announces its capabilities and requires no sign-in", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editor();

  expect(editor.introduction).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: "incipit" },
    authMethods: [],
    agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true } },
  });
  const refused = await editor.agent.request(methods.agent.authenticate, { methodId: "oauth" }).catch(String);
  expect(refused).toContain("this agent needs no sign-in");
});

test("an editor that requests version 2 gets version 1, and uses it", async () => {
  await using world = await createAcpWorld();
  const editor = world.rawEditor();
  const early = await editor.request("session/list", {});
  const info = { name: "test", version: "1" };

  const { result } = await editor.request("initialize", { protocolVersion: 2, info, capabilities: {} });

  expect(early.error?.code).toBe(-32_600);
  expect(result).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: "incipit" },
    agentCapabilities: { loadSession: true },
  });
  const sessionId = await editor.newSession(world.cwd);
  const prompt = { sessionId, prompt: [{ type: "text", text: "Hello" }] };
  expect(await editor.request("session/prompt", prompt)).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(editor.said).toBe("Reply 1");
});

test("incipit acp exits on a signal", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editor();
  await editor.newSession(world.cwd);

  expect(await editor.kill("SIGTERM")).toBe(0);
});

test("a prompt streams text, reasoning and calls, and ends with its turn", async () => {
  await using world = await createAcpWorld(workspace);
  await Bun.write(join(world.cwd, "a.txt"), "one\ntwo\n");
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);
  const read = { id: "call-1", name: "read_file", arguments: JSON.stringify({ path: "a.txt", offset: 2 }) };
  world.model.enqueue(
    { kind: "tool-calls", calls: [read] },
    { kind: "text", chunks: ["It says", " two."], reasoning: "Look at it." },
  );

  const { stopReason } = await editor.prompt(session, "What is in it?");

  expect(stopReason).toBe("end_turn");
  expect(editor.said(session)).toBe("It says two.");
  expect(editor.said(session, "user_message_chunk")).toBe("");
  expect(editor.updatesOf(session, "tool_call")).toMatchObject([
    { toolCallId: "call-1", name: "read_file", kind: "read", status: "pending" },
  ]);
  const path = join(world.cwd, "a.txt");
  expect(editor.updatesOf(session, "tool_call_update")).toMatchObject([
    { title: "Read a.txt", locations: [{ path, line: 2 }] },
    { status: "completed", content: [{ content: { text: "```\ntwo\n```" } }] },
  ]);
});

test("reasoning of a model is sent as thoughts", async () => {
  await using world = await createAcpWorld();
  const provider = `[providers.claude]\nkind = "anthropic"\nbase_url = "${world.model.urlOf("anthropic")}"`;
  await Bun.write(world.options.config, `model = "claude/test"\n${provider}\n`);
  const editor = await world.editor({ env: { ANTHROPIC_API_KEY: "key" } });
  const session = await editor.newSession(world.cwd);
  world.model.enqueue({ kind: "text", chunks: ["Four."], reasoning: { text: "Two and two.", signature: "s" } });

  await editor.prompt(session, "2 + 2?");

  expect(editor.said(session, "agent_thought_chunk")).toBe("Two and two.");
  expect(editor.said(session)).toBe("Four.");
});

test.each([
  { name: "length", reply: { kind: "text", chunks: ["So"], end: "length" }, stopReason: "max_tokens" },
  { name: "length alone", reply: { kind: "text", chunks: [], end: "length" }, stopReason: "max_tokens" },
  { name: "filter", reply: { kind: "text", chunks: ["No"], end: "content-filter" }, stopReason: "refusal" },
  { name: "filter alone", reply: { kind: "text", chunks: [], end: "content-filter" }, stopReason: "refusal" },
] as const)("a reply that ended by $name stops with $stopReason", async ({ reply, stopReason }) => {
  await using world = await createAcpWorld();
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);
  world.model.enqueue(reply);

  expect((await editor.prompt(session, "Go")).stopReason).toBe(stopReason);
});

test("a turn at the host's limit of model calls stops with max_turn_requests", async () => {
  await using opened = await openSession(`${workspace}\n[extensions.settings.session-orchestrator]\nmax_steps = 1`);
  const { world, editor, session } = opened;
  world.model.enqueue({ kind: "tool-calls", calls: [{ id: "1", name: "list_folder", arguments: "{}" }] });

  expect((await editor.prompt(session, "Go")).stopReason).toBe("max_turn_requests");
});

test("a failed turn is an error with the reason", async () => {
  await using opened = await openSession();
  const { world, editor, session } = opened;
  world.model.enqueue({ kind: "error", status: 401, body: '{"error":{"message":"no such key"}}' });

  const failure = await editor.prompt(session, "Go").catch((error: unknown) => error);

  expect(failure).toMatchObject({ code: -32603, message: expect.stringContaining("no such key") });
});

test("session/cancel ends the prompt as cancelled, and the conversation continues", async () => {
  await using opened = await openSession();
  const { world, editor, session } = opened;
  world.model.enqueue({ kind: "text", chunks: ["One", "two"], gate: true });

  const prompt = editor.prompt(session, "Count");
  await editor.waitFor(() => editor.said(session) === "One");
  await editor.agent.notify(methods.agent.session.cancel, { sessionId: session });

  expect((await prompt).stopReason).toBe("cancelled");
  world.model.enqueue({ kind: "text", chunks: ["Again"] });
  expect((await editor.prompt(session, "Go on")).stopReason).toBe("end_turn");
  expect(editor.said(session)).toBe("OneAgain");
});

test("$/cancel_request cancels only its prompt, and the next one is answered", async () => {
  await using opened = await openSession();
  const { world, editor, session } = opened;
  world.model.enqueue({ kind: "text", chunks: ["One", "two"], gate: true }, { kind: "text", chunks: ["Second."] });
  const cancelled = new AbortController();

  const first = editor.agent.request(
    methods.agent.session.prompt,
    { sessionId: session, prompt: [{ type: "text", text: "first" }] },
    { cancellationSignal: cancelled.signal },
  );
  await editor.waitFor(() => editor.said(session) === "One");
  const second = editor.prompt(session, "second");
  cancelled.abort();

  expect((await first).stopReason).toBe("cancelled");
  expect((await second).stopReason).toBe("end_turn");
  expect(editor.said(session)).toBe("OneSecond.");
});

test("a prompt during a turn waits for its end", async () => {
  await using opened = await openSession();
  const { world, editor, session } = opened;
  world.model.enqueue({ kind: "text", chunks: ["One", "."], gate: true }, { kind: "text", chunks: ["Two."] });

  const first = editor.prompt(session, "first");
  await editor.waitFor(() => editor.said(session) === "One");
  const second = editor.prompt(session, "second");
  world.model.releaseAll();

  expect(await Promise.all([first, second])).toMatchObject([
    { stopReason: "end_turn" },
    { stopReason: "end_turn" },
  ]);
  expect(editor.said(session)).toBe("One.Two.");
  const said = messagesOf(world.model.requests[1]?.body).filter(({ role }) => role !== "system");
  expect(said.map(({ text }) => text)).toEqual(["first", "One.", "second"]);
});

test("session/load replays all messages in order, and the session continues", async () => {
  await using opened = await openSession(workspace);
  const { world, editor, session } = opened;
  await Bun.write(join(world.cwd, "a.txt"), "one");
  const read = { id: "call-1", name: "read_file", arguments: '{"path":"a.txt"}' };
  world.model.enqueue({ kind: "tool-calls", calls: [read] }, { kind: "text", chunks: ["It ", "is one."] });
  await editor.prompt(session, "Read it");
  await editor.leave();

  const later = await world.editor();
  await later.agent.request(methods.agent.session.load, { sessionId: session, cwd: world.cwd, mcpServers: [] });

  expect(later.updates(session)).toMatchObject([
    { sessionUpdate: "user_message_chunk", content: { text: "Read it" } },
    { sessionUpdate: "tool_call", toolCallId: "call-1", title: "Read a.txt", kind: "read" },
    { sessionUpdate: "tool_call_update", toolCallId: "call-1", status: "completed" },
    { sessionUpdate: "agent_message_chunk", content: { text: "It is one." } },
  ]);
  later.forget();
  await later.prompt(session, "And now?");
  expect(later.said(session)).toStartWith("Reply");
});

test("session/load during a turn sends each update once", async () => {
  await using world = await createAcpWorld();
  const host = await world.host();
  const { id } = await host.createConversation({ cwd: world.cwd });
  await host.turn(id, { input: "before" });
  world.model.enqueue({ kind: "text", chunks: ["One", "two", "three"], gate: true });
  const turn = host.turn(id, { input: "now" });
  await world.model.waitForRequests(2);

  const editor = await world.editor();
  await editor.agent.request(methods.agent.session.load, { sessionId: id, cwd: world.cwd, mcpServers: [] });
  world.model.releaseAll();
  await turn;
  await editor.waitFor(() => editor.said(id).endsWith("three"));

  expect(editor.said(id)).toBe("Reply 1Onetwothree");
  expect(editor.said(id, "user_message_chunk")).toBe("beforenow");
});

test("session/resume continues without replaying history", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);
  await editor.prompt(session, "first");
  await editor.leave();

  const later = await world.editor();
  await later.agent.request(methods.agent.session.resume, { sessionId: session, cwd: world.cwd });
  await later.prompt(session, "second");

  expect(later.updates(session).map(({ sessionUpdate }) => sessionUpdate)).not.toContain("user_message_chunk");
  expect(later.said(session)).toBe("Reply 2");
  expect(messagesOf(world.model.requests[1]?.body).map(({ text }) => text)).toContain("Reply 1");
});

test("session/list returns the sessions of a folder, newest first, in pages", async () => {
  await using world = await createAcpWorld();
  const host = await world.host();
  const other = join(world.cwd, "other");
  await Bun.write(join(other, "a.txt"), "");
  const ids: string[] = [];
  for (let count = 0; count < 120; count += 1) {
    const { id } = await host.createConversation({ cwd: world.cwd, title: `Number ${count}` });
    ids.unshift(id);
    if (count % 10 === 0) await host.createConversation({ cwd: other });
  }
  const editor = await world.editor();

  const found: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await editor.agent.request(methods.agent.session.list, {
      cwd: world.cwd,
      ...(cursor === undefined ? {} : { cursor }),
    });
    expect(page.sessions.every(({ cwd }) => cwd === world.cwd)).toBe(true);
    found.push(...page.sessions.map(({ sessionId }) => sessionId));
    cursor = page.nextCursor;
  } while (typeof cursor === "string");

  expect(found).toEqual(ids);
});

test("session/fork copies the history, and session/close and session/delete end a session", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);
  await editor.prompt(session, "first");

  const fork = await editor.agent.request(methods.agent.session.fork, { sessionId: session, cwd: world.cwd });
  await editor.prompt(fork.sessionId, "second");
  await editor.agent.request(methods.agent.session.close, { sessionId: session });
  await editor.agent.request(methods.agent.session.delete, { sessionId: fork.sessionId });

  expect(messagesOf(world.model.requests[1]?.body).map(({ text }) => text)).toContain("Reply 1");
  const closed = await editor.prompt(session, "closed").catch((error: unknown) => error);
  expect(closed).toMatchObject({ code: -32002, data: { sessionId: session } });
  const { sessions } = await editor.agent.request(methods.agent.session.list, {});
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual([session]);
});

test("an unknown session, or one of another folder, is rejected with advice", async () => {
  await using opened = await openSession();
  const { world, editor, session } = opened;
  const load = (sessionId: string, cwd: string): Promise<unknown> =>
    editor.agent
      .request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] })
      .catch((error: unknown) => error);

  expect(await load("no-such-session", world.cwd)).toMatchObject({ code: -32002 });
  expect(await load("01a1fcd7-5c9a-7556-afda-76769002c75c", world.cwd)).toMatchObject({ code: -32002 });
  expect(await load(session, "/")).toMatchObject({ code: -32602, message: expect.stringContaining(world.cwd) });
  expect(await load(session, "work")).toMatchObject({ code: -32602, message: expect.stringContaining("absolute") });
});

test("messages from other clients in the conversation are sent live", async () => {
  await using world = await createAcpWorld();
  const host = await world.host();
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);
  await editor.prompt(session, "from the editor");

  await host.turn(session, { input: "from the page" });
  await editor.waitFor(() => editor.said(session) === "Reply 1Reply 2");

  expect(editor.said(session, "user_message_chunk")).toBe("from the page");
  const said = messagesOf(world.model.requests[1]?.body).filter(({ role }) => role === "user");
  expect(said.map(({ text }) => text)).toEqual(["from the editor", "from the page"]);
});

test("a tool approval shows the change and offers once, always and no", async () => {
  await using opened = await openSession(workspace);
  const { world, editor, session } = opened;
  const path = join(world.cwd, "a.txt");
  await Bun.write(path, "one\ntwo\nthree\n");
  const asked = async (
    id: string,
    texts: readonly [string, string],
    optionId: string,
    file = "a.txt",
  ): Promise<void> => {
    const call = {
      id,
      name: "edit_file",
      arguments: JSON.stringify({ path: file, oldText: texts[0], newText: texts[1] }),
    };
    world.model.enqueue({ kind: "tool-calls", calls: [call] }, { kind: "text", chunks: ["Done."] });
    editor.answer = () => chosen(optionId);
    await editor.prompt(session, "Edit it");
  };

  await asked("call-1", ["two", "TWO"], "deny");
  expect(await Bun.file(path).text()).toBe("one\ntwo\nthree\n");
  await asked("call-2", ["two", "TWO"], "allow");
  expect(await Bun.file(path).text()).toBe("one\nTWO\nthree\n");
  await asked("call-3", ["TWO", "two"], "allow-always:file");
  await asked("call-4", ["one", "ONE"], "deny");

  expect(await Bun.file(path).text()).toBe("ONE\ntwo\nthree\n");
  expect(editor.asked).toHaveLength(3);
  await Bun.write(join(world.cwd, "b.txt"), "one\n");
  await asked("call-5", ["one", "ONE"], "allow-always", "b.txt");
  await asked("call-6", ["ONE", "one"], "deny", "b.txt");
  expect(await Bun.file(join(world.cwd, "b.txt")).text()).toBe("one\n");
  expect(editor.asked).toHaveLength(4);
  const statuses = [...editor.updatesOf(session, "tool_call"), ...editor.updatesOf(session, "tool_call_update")];
  const of = (id: string): readonly unknown[] =>
    statuses.flatMap(({ toolCallId, status }) => (toolCallId === id && status !== undefined ? [status] : []));
  expect(of("call-1")).toEqual(["pending", "failed"]);
  expect(of("call-2")).toEqual(["pending", "in_progress", "completed"]);
  expect(editor.asked.map(({ toolCall }) => toolCall.status)).toEqual(Array(4).fill(undefined));
  expect(editor.asked[0]).toMatchObject({
    sessionId: session,
    toolCall: {
      toolCallId: "call-1",
      kind: "edit",
      title: "Edit a.txt",
      locations: [{ path }],
      content: [{ type: "diff", path, oldText: "one\ntwo\nthree\n", newText: "one\nTWO\nthree\n" }],
    },
    options: [
      { optionId: "allow", kind: "allow_once" },
      {
        optionId: "allow-always:file",
        kind: "allow_always",
        name: 'Always allow in this session: the file "a.txt"',
      },
      { optionId: "allow-always", kind: "allow_always" },
      { optionId: "deny", kind: "reject_once" },
    ],
  });
  const ends = editor
    .updatesOf(session, "tool_call_update")
    .filter(({ status }) => status === "completed" || status === "failed");
  expect(ends.map(({ toolCallId, status }) => `${toolCallId} ${status}`)).toEqual([
    "call-1 failed",
    "call-2 completed",
    "call-3 completed",
    "call-4 completed",
    "call-5 completed",
    "call-6 completed",
  ]);
});

test("an approval is withdrawn when the prompt is cancelled or another client answers", async () => {
  await using world = await createAcpWorld(workspace);
  const host = await world.host();
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);
  const call = { id: "call-1", name: "shell", arguments: '{"command":"echo ran >> ran.txt"}' };
  const putAway: string[] = [];
  editor.answer = (request, signal) => {
    signal.addEventListener("abort", () => putAway.push(request.toolCall.toolCallId));
    return new Promise(() => {});
  };

  world.model.enqueue({ kind: "tool-calls", calls: [call] });
  const cancelled = editor.prompt(session, "Run it");
  await editor.waitFor(({ asked }) => asked.length === 1);
  await editor.agent.notify(methods.agent.session.cancel, { sessionId: session });
  expect((await cancelled).stopReason).toBe("cancelled");

  world.model.enqueue(
    { kind: "tool-calls", calls: [{ ...call, id: "call-2" }] },
    { kind: "text", chunks: ["Ran."] },
  );
  const allowed = editor.prompt(session, "Run it all the same");
  await editor.waitFor(({ asked }) => asked.length === 2);
  const { approvals } = await host.conversation(session);
  await host.json(`/conversations/${session}/approvals/${approvals[0]?.approvalId}`, {
    body: { decision: "allow" },
  });
  expect((await allowed).stopReason).toBe("end_turn");

  expect(putAway).toEqual(["call-1", "call-2"]);
  expect(await Bun.file(join(world.cwd, "ran.txt")).text()).toBe("ran\n");
});

test("a pending approval is requested again when the editor returns", async () => {
  await using world = await createAcpWorld(workspace);
  await world.host();
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "call-1", name: "shell", arguments: '{"command":"echo ran > ran.txt"}' }] },
    { kind: "text", chunks: ["Ran."] },
  );
  const left = editor.prompt(session, "Run it").catch(() => "gone");
  await editor.waitFor(({ asked }) => asked.length === 1);
  await editor.kill("SIGKILL");
  expect(await left).toBe("gone");

  const later = await world.editor();
  later.answer = () => chosen("allow");
  await later.agent.request(methods.agent.session.load, { sessionId: session, cwd: world.cwd, mcpServers: [] });
  await later.waitFor(() => later.said(session).endsWith("Ran."));

  expect(later.asked).toMatchObject([{ toolCall: { toolCallId: "call-1", title: "`echo ran > ran.txt`" } }]);
  expect(await Bun.file(join(world.cwd, "ran.txt")).text()).toBe("ran\n");
});

test("all supported blocks reach the model: text, links, embedded text, pictures and files", async () => {
  await using opened = await openSession();
  const { world, editor, session } = opened;
  const uri = `file://${join(world.cwd, "src/a.ts")}`;

  await editor.agent.request(methods.agent.session.prompt, {
    sessionId: session,
    prompt: [
      { type: "text", text: "Look at" },
      { type: "resource_link", name: "a.ts", uri: `${uri}#L3:5` },
      { type: "resource", resource: { uri, text: "export {};", mimeType: "text/typescript" } },
      {
        type: "image",
        data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        mimeType: "image/PNG",
      },
      { type: "text", text: "  " },
    ],
  });

  const said = messagesOf(world.model.requests[0]?.body).find(({ role }) => role === "user");
  expect(JSON.parse(said?.text ?? "")).toEqual([
    { type: "text", text: "Look at" },
    { type: "text", text: "[a.ts](src/a.ts#L3:5)" },
    { type: "text", text: '<resource uri="src/a.ts">\nexport {};\n</resource>' },
    {
      type: "image_url",
      image_url: {
        url: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      },
    },
  ]);
});
