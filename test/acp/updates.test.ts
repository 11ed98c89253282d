import { methods, type SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import { conversationIdSchema } from "@incipit/schema";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import type { AcpProcess } from "./acp-process.ts";
import { createAcpWorld } from "./acp-world.ts";

function params(sessionId: string): {
  readonly params: { readonly id: ReturnType<typeof conversationIdSchema.parse> };
} {
  return { params: { id: conversationIdSchema.parse(sessionId) } };
}

function kinds(editor: AcpProcess, sessionId: string): readonly SessionUpdate["sessionUpdate"][] {
  return editor.updates(sessionId).map(({ sessionUpdate }) => sessionUpdate);
}

test("an editor is told the title, and what somebody else has chosen or renamed meanwhile, before the turn's end; its own choice it is not", async () => {
  await using world = await createAcpWorld('[profiles.poet]\nsystem_prompt = "Rhyme."');
  const host = await world.host();
  const client = createClient({ url: host.url, token: host.token });
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);

  await editor.prompt(session, "The first thing");
  const first = editor.updatesOf(session, "session_info_update");
  await editor.agent.request(methods.agent.session.setConfigOption, {
    sessionId: session,
    configId: "effort",
    value: "low",
  });
  await editor.agent.request(methods.agent.session.setConfigOption, {
    sessionId: session,
    configId: "model",
    value: "local/other",
  });
  await editor.prompt(session, "The second thing");
  const ownChoices = editor.updatesOf(session, "config_option_update");
  await client.call(routes.updateConversation, {
    ...params(session),
    body: { title: "Renamed", model: "local/third", profile: "poet" },
  });
  await editor.prompt(session, "The third thing");

  expect(first).toMatchObject([{ title: "The first thing" }]);
  expect(ownChoices).toEqual([]);
  expect(editor.updatesOf(session, "session_info_update").slice(1)).toMatchObject([{ title: "Renamed" }]);
  expect(editor.updatesOf(session, "config_option_update")).toMatchObject([
    {
      configOptions: [
        { id: "model", currentValue: "local/third" },
        { id: "profile", currentValue: "poet" },
        { id: "effort", currentValue: "low" },
      ],
    },
  ]);
});

test("an editor is told after each model call how full the window is, and what the conversation has cost", async () => {
  await using world = await createAcpWorld();
  await Bun.write(
    world.options.config,
    `${await Bun.file(world.options.config).text()}
[providers.local.models.test]
context_window = 8000
prices = { input = 2, output = 10 }
`,
  );
  const editor = await world.editor();
  const session = await editor.newSession(world.cwd);
  const usage = { inputTokens: 1_000, outputTokens: 100 };
  world.model.enqueue(
    { kind: "text", chunks: ["One"], usage },
    { kind: "text", chunks: ["Two"], usage: { inputTokens: 2_000, outputTokens: 200 } },
  );

  await editor.prompt(session, "Hello");
  await editor.prompt(session, "And now?");
  const again = await world.editor();
  await again.agent.request(methods.agent.session.load, { sessionId: session, cwd: world.cwd, mcpServers: [] });
  world.model.enqueue({ kind: "text", chunks: ["Three"], usage });
  await again.prompt(session, "More");

  expect(editor.updatesOf(session, "usage_update").slice(0, 2)).toEqual([
    { sessionUpdate: "usage_update", used: 1_100, size: 8_000, cost: { amount: 0.003, currency: "USD" } },
    {
      sessionUpdate: "usage_update",
      used: 2_200,
      size: 8_000,
      cost: { amount: expect.closeTo(0.009, 6), currency: "USD" },
    },
  ]);
  // What it had cost before is not known to this one.
  expect(again.updatesOf(session, "usage_update")).toEqual([
    { sessionUpdate: "usage_update", used: 1_100, size: 8_000 },
  ]);
});

test("a compaction, and a vendor that is asked again, are told to an editor that says that it shows such, and to no other", async () => {
  await using world = await createAcpWorld();
  const { url, token } = await world.host();
  const client = createClient({ url, token });
  const showing = await world.editor({ capabilities: { session: { notices: {}, compaction: {} } } });
  const other = await world.editor();
  const session = await showing.newSession(world.cwd);
  await other.agent.request(methods.agent.session.load, { sessionId: session, cwd: world.cwd, mcpServers: [] });
  world.model.enqueue({ kind: "error", status: 503, body: "busy", headers: { "retry-after": "0" } });

  await showing.prompt(session, "Hello");
  await client.call(routes.compactConversation, params(session));
  await showing.prompt(session, "And now?");
  await other.waitFor((editor) => editor.said(session, "user_message_chunk").includes("And now?"));

  expect(showing.updatesOf(session, "notice")).toMatchObject([
    { severity: "warning", title: expect.stringContaining("The model is asked again in") },
  ]);
  const compactions = showing.updatesOf(session, "compaction_update");
  expect(compactions).toMatchObject([{ status: "in_progress" }, { status: "completed" }]);
  expect(new Set(compactions.map(({ compactionId }) => compactionId)).size).toBe(1);
  expect(kinds(other, session)).not.toContain("notice");
  expect(kinds(other, session)).not.toContain("compaction_update");
});
