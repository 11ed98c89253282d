import { expect, test } from "bun:test";
import { startRecordingModelServer } from "../recording-model-server.ts";

const said = { role: "assistant", content: [{ type: "thinking", thinking: "Hm", signature: "c2ln" }] };
const user = { role: "user", content: "one" };
const beta = { "anthropic-beta": "a,thinking-binding-controls-2026-08-01" };

test("RecordingModelServer rejects thinking after a changed prefix in Anthropic's words, unless droppable", async () => {
  await using server = await startRecordingModelServer();
  server.enqueue({ kind: "text", chunks: ["Yes"], reasoning: { text: "Hm", signature: "c2ln" } });
  const ask = async (fields: object, headers = {}): Promise<string> => {
    const base = { model: "claude-fable-5-1", max_tokens: 9, system: "a", messages: [user] };
    const body = JSON.stringify({ ...base, ...fields });
    const response = await fetch(`${server.urlOf("anthropic")}/messages`, { method: "POST", body, headers });
    return `${response.status} ${await response.text()}`;
  };
  const messages = [user, said, user];
  const thinking = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };
  expect(await ask({})).toStartWith("200");

  const same = await ask({ messages });
  const changed = [
    await ask({ messages, system: "b" }),
    await ask({ messages, tools: [{ name: "t", input_schema: { type: "object" } }] }),
    await ask({ messages: [{ ...user, content: "two" }, said, user] }),
  ];

  expect(same).toStartWith("200");
  for (const refused of changed) {
    expect(refused).toStartWith("400");
    expect(refused).toContain("messages.1.content.0: Invalid `signature` in `thinking` block");
  }
  expect(await ask({ messages, system: "b", thinking }, beta)).toStartWith("200");
  expect(await ask({ messages, system: "b", thinking })).toContain("block_binding: Extra inputs");
  expect(await ask({ messages, model: "claude-sonnet-5", system: "b" })).toStartWith("200");
  expect(await ask({ messages, model: "claude-sonnet-5", thinking }, beta)).toContain(
    "block_binding: Extra inputs",
  );
});
