import { stepsResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { HostWorld } from "../support/host-world.ts";

const apis = [
  { kind: "openai", api: "responses", wire: "openai-responses" },
  { kind: "openai", api: "chat", wire: "openai-chat" },
  { kind: "openai-compatible", api: undefined, wire: "openai-chat" },
  { kind: "deepseek", api: undefined, wire: "deepseek" },
  { kind: "anthropic", api: undefined, wire: "anthropic" },
  { kind: "google", api: undefined, wire: "gemini" },
] as const;

for (const { kind, api, wire } of apis) {
  const name = api === undefined ? kind : `${kind} (${api})`;
  test(`a reply of ${name} without usage completes its turn, with null stored, not 0`, async () => {
    await using world = await HostWorld.create({
      model: "vendor/some-model",
      server: { isStrict: true, wire },
      env: { VENDOR_KEY: "key-0123456789" },
      config: (server) => `tools.workspace = true
[providers.vendor]\nkind = "${kind}"\n${api === undefined ? "" : `api = "${api}"\n`}base_url = "${server.urlOf(wire)}"\napi_key_env = "VENDOR_KEY"`,
    });
    const { model: server } = world;
    const host = await world.start();
    const { id } = await host.createConversation();
    const list = { id: "call_1", name: "list_folder", arguments: '{"path": "."}' };
    server.enqueue(
      { kind: "tool-calls", calls: [list], usage: "absent" },
      { kind: "text", chunks: ["all of it"], usage: "absent" },
      { kind: "text", chunks: ["and again"], usage: "absent" },
    );

    const ends = [await host.turn(id, { input: "one" }), await host.turn(id, { input: "two" })].map((events) =>
      events.at(-1),
    );
    const { steps } = stepsResponseSchema.parse(await host.json(`/conversations/${id}/steps`));

    const unreported = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };
    expect(ends).toMatchObject([{ status: "completed" }, { status: "completed" }]);
    expect(steps.map(({ usage, finishReason, error }) => ({ usage, finishReason, error }))).toEqual([
      { usage: unreported, finishReason: "tool-calls", error: null },
      { usage: unreported, finishReason: "stop", error: null },
      { usage: unreported, finishReason: "stop", error: null },
    ]);
  }, 300_000);
}
