import { expect, test } from "bun:test";
import { chatCompletionChunkSchema, chatCompletionRequestSchema, chatCompletionSchema } from "./chat-completion.ts";

test("chatCompletionRequestSchema accepts a string or a list of parts for each role", () => {
  const parts = [{ type: "text", text: "a" }];
  for (const role of ["system", "developer", "user", "assistant", "tool"])
    for (const content of ["a", parts]) {
      const message = { role, content, ...(role === "tool" ? { tool_call_id: "1" } : {}) };
      expect({
        role,
        ...chatCompletionRequestSchema.safeParse({ model: "a/b", messages: [message] }),
      }).toMatchObject({
        role,
        success: true,
      });
    }
});

test("chatCompletionSchema and its chunks keep all fields that OpenAI's clients read", () => {
  const call = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };
  const usage = {
    prompt_tokens: 20,
    completion_tokens: 5,
    total_tokens: 25,
    prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  };
  const head = { id: "chatcmpl-1", created: 1_800_000_000, model: "acme/one", usage };
  const said = { role: "assistant", content: "Hi", reasoning_content: "Hm" };
  const choice = { index: 0, logprobs: null, finish_reason: "tool_calls" };
  const message = { ...said, refusal: null, tool_calls: [call] };
  const whole = { ...head, object: "chat.completion", choices: [{ ...choice, message }] };
  const delta = { ...said, tool_calls: [{ index: 0, ...call }] };
  const piece = { ...head, object: "chat.completion.chunk", choices: [{ ...choice, delta }] };

  for (const [schema, sent] of [
    [chatCompletionSchema, whole],
    [chatCompletionChunkSchema, piece],
  ] as const) {
    const parsed: unknown = schema.parse(sent);
    expect(parsed).toEqual(sent);
    for (const name of ["id", "created", "model", "object", "choices"] as const)
      expect([name, schema.safeParse({ ...sent, [name]: undefined }).success]).toEqual([name, false]);
  }
});
