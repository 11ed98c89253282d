import { methods, type SystemPrompt } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "bun:test";
import { createAcpWorld, messagesOf, type AcpWorld } from "./acp-world.ts";

function instructions(text: string, mode: string): SystemPrompt {
  return { mode, content: [{ type: "text", text }] };
}

function told({ model }: AcpWorld): { readonly system: string; readonly said: string } {
  const messages = messagesOf(model.requests.at(-1)?.body);
  const textOf = (isSystem: boolean): string =>
    messages
      .filter(({ role }) => (role === "system") === isSystem)
      .map(({ text }) => text)
      .join("\n");
  return { system: textOf(true), said: textOf(false) };
}

test("[resolved-once] systemPrompt of session/new replaces or follows the base in every turn", async () => {
  await using world = await createAcpWorld('append_system_prompt = "Be brief."');
  const editor = await world.editor();
  expect(editor.introduction.agentCapabilities?.sessionCapabilities?.systemPrompt).toEqual({
    mode: { override: {} },
  });
  const open = (systemPrompt: SystemPrompt): Promise<{ readonly sessionId: string }> =>
    editor.agent.request(methods.agent.session.new, { cwd: world.cwd, mcpServers: [], systemPrompt });

  const overriding = await open(instructions("You are the [prompt:cwd] otter.", "override"));
  await editor.prompt(overriding.sessionId, "first");
  expect(told(world)).toEqual({ system: "You are the [prompt:cwd] otter.\n\nBe brief.", said: "first" });
  await editor.prompt(overriding.sessionId, "second");
  expect(told(world).system).toBe("You are the [prompt:cwd] otter.\n\nBe brief.");
  expect(told(world).said).not.toContain("otter");
  const appending = await open(instructions("You are the other otter.", "append"));
  await editor.prompt(appending.sessionId, "first");
  expect(told(world)).toEqual({ system: "Be of use.\n\nYou are the other otter.\n\nBe brief.", said: "first" });
});

test("an unchanged systemPrompt in session/load changes no byte, and a new one applies next turn", async () => {
  await using world = await createAcpWorld();
  const host = await world.host();
  const editor = await world.editor();
  const systemPrompt = instructions("You are the first.", "override");
  const { sessionId } = await editor.agent.request(methods.agent.session.new, {
    cwd: world.cwd,
    mcpServers: [],
    systemPrompt,
  });
  await editor.prompt(sessionId, "one");
  // The constructed prompt would now differ, but no rebuild was requested.
  await host.json("/system-prompt", { method: "PUT", body: { template: "Changed." } });
  const load = (given: SystemPrompt | null): Promise<unknown> =>
    editor.agent.request(methods.agent.session.load, {
      sessionId,
      cwd: world.cwd,
      mcpServers: [],
      systemPrompt: given,
    });

  await load(systemPrompt);
  await load(null);
  await editor.prompt(sessionId, "two");
  expect(told(world).system).toBe("You are the first.");
  const { constructions } = await host.constructions(sessionId);
  expect(constructions.map(({ reason }) => reason)).toEqual(["first-turn"]);

  await load(instructions("You are the second.", "append"));
  await editor.prompt(sessionId, "three");
  expect(told(world).system).toBe("Changed.\n\nYou are the second.");
  expect((await host.constructions(sessionId)).constructions.at(-1)).toMatchObject({
    reason: "rebuild",
    by: "test",
  });
});

test("an invalid systemPrompt is rejected, and no session starts", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editor();
  const open = (systemPrompt: SystemPrompt): Promise<unknown> =>
    editor.agent
      .request(methods.agent.session.new, { cwd: world.cwd, mcpServers: [], systemPrompt })
      .catch((error: unknown) => error);

  expect(await open(instructions("Be kind.", "prepend"))).toMatchObject({ code: -32602 });
  expect(await open({ mode: "append", content: [] })).toMatchObject({ code: -32602 });
  const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
  expect(await open({ mode: "append", content: [image] })).toMatchObject({ code: -32602 });
  const { sessions } = await editor.agent.request(methods.agent.session.list, {});
  expect(sessions).toEqual([]);
});
