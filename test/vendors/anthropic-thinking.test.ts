import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "bun:test";
import { HostWorld } from "../support/host-world.ts";

test("signed thinking returns to Anthropic's model with a signature that the client never received", async () => {
  await using world = await HostWorld.create({
    model: "claude/one",
    server: { wire: "anthropic", isStrict: true },
    env: { CLAUDE_KEY: "planted-vendor-key-2" },
    config: (server) =>
      `[providers.claude]\nkind = "anthropic"\nbase_url = "${server.urlOf("anthropic")}"\napi_key_env = "CLAUDE_KEY"`,
  });
  const { model } = world;
  const host = await world.start();
  const client = new Anthropic({ baseURL: host.url, apiKey: host.token });
  const request = {
    model: "claude/one",
    max_tokens: 8_000,
    thinking: { type: "enabled", budget_tokens: 2_000 },
    system: "Be brief.",
    tools: [{ name: "look", input_schema: { type: "object" } }],
  } satisfies Partial<Anthropic.MessageCreateParams>;
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Look" }];
  const calls = [{ id: "toolu_1", name: "look", arguments: "{}" }];
  const reasoning = { text: "I had better look", signature: "c2lnbmVk" };
  model.enqueue({ kind: "tool-calls", calls, reasoning });

  const said = await client.messages.stream({ ...request, messages }).finalMessage();
  const results = said.content.flatMap((block): Anthropic.ToolResultBlockParam[] =>
    block.type === "tool_use" ? [{ type: "tool_result", tool_use_id: block.id, content: "Fog" }] : [],
  );
  await client.messages.create({
    ...request,
    messages: [...messages, { role: "assistant", content: said.content }, { role: "user", content: results }],
  });

  expect(said.content).toMatchObject([
    { type: "thinking", thinking: "I had better look" },
    { type: "tool_use", name: "look" },
  ]);
  expect(JSON.stringify(said)).not.toContain("c2lnbmVk");
  const { body = "" } = model.requests.at(-1) ?? {};
  expect(JSON.parse(body)).toMatchObject({
    messages: [
      { role: "user" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "I had better look", signature: "c2lnbmVk" },
          { type: "tool_use", name: "look" },
        ],
      },
      { role: "user", content: [{ type: "tool_result", content: "Fog" }] },
    ],
  });
  expect(body).not.toContain("incipit:");
});
