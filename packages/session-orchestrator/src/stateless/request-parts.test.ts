import { expect, test } from "bun:test";
import { requestParts } from "./request-parts.ts";

const chat = {
  model: "m",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "What\nis this?" }] },
    { role: "assistant", content: null, tool_calls: [{ function: { name: "look", arguments: "{}" } }] },
  ],
  tools: [{ type: "function", function: { name: "look", description: "Looks" } }],
};
const anthropic = {
  system: [{ type: "text", text: "Be brief." }],
  messages: [{ role: "user", content: "Hello" }],
  tools: [{ name: "look", description: "Looks", input_schema: {} }],
};
const gemini = {
  systemInstruction: { parts: [{ text: "Be brief." }] },
  contents: [{ role: "user", parts: [{ text: "Hello" }] }],
  tools: [{ functionDeclarations: [{ name: "look", description: "Looks" }] }],
};
const responses = {
  input: [
    { role: "developer", content: "Be brief." },
    { type: "function_call_output", call_id: "1", output: "Seen" },
  ],
};

test.each([
  [chat, ["tool look Looks", "system - Be brief.", "message user What is this?", "message assistant -"]],
  [anthropic, ["tool look Looks", "system - Be brief.", "message user Hello"]],
  [gemini, ["tool look Looks", "system - Be brief.", "message user Hello"]],
  [responses, ["system - Be brief.", "message function_call_output Seen"]],
])("requestParts names each part of a body for every vendor", (body, expected) => {
  const parts = requestParts(JSON.stringify(body));

  const told = parts.map(({ kind, name, beginning }) => `${kind} ${name ?? "-"} ${beginning || "-"}`);
  expect(told).toEqual(expected);
  expect(parts.every(({ sizeBytes }) => sizeBytes > 10)).toBe(true);
});

test("requestParts detects files, but not within text", () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const content = 'It says {"type":"image_url"}';
  const body = {
    messages: [
      { role: "user", content: [image] },
      { role: "user", content },
    ],
  };

  expect(requestParts(JSON.stringify(body)).map(({ hasFile }) => hasFile)).toEqual([true, false]);
});

test("requestParts counts bytes, truncates previews, and ignores unknown bodies", () => {
  const content = `ä${"b".repeat(5_000)}`;
  const [part] = requestParts(JSON.stringify({ messages: [{ role: "user", content }] }));

  expect(part).toMatchObject({
    sizeBytes: Buffer.byteLength(JSON.stringify({ role: "user", content })),
    beginning: `ä${"b".repeat(59)}…`,
  });
  expect([requestParts("no JSON"), requestParts('{"model":"m"}')]).toEqual([[], []]);
});
