import { expect, test } from "bun:test";
import fc from "fast-check";
import { requestBody } from "./request-body.ts";

const nothingBefore = { sentBefore: "", toolInputs: [] };

function withCall(input: string): string {
  const calls = [{ id: "t1", type: "function", function: { name: "a", arguments: input } }];
  return JSON.stringify({ model: "m", messages: [{ role: "assistant", tool_calls: calls }] });
}

function argumentsIn(text: string): unknown {
  return JSON.parse(text).messages[0].tool_calls[0].function.arguments;
}

test("requestBody puts settings first, then tools, then messages, whatever the order was", () => {
  const { text } = requestBody('{"messages":[1],"tools":[2],"model":"m","stream":true}', nothingBefore);

  expect(text).toBe('{"model":"m","stream":true,"tools":[2],"messages":[1]}');
});

test("requestBody puts the body's messages behind those that were sent before", () => {
  const body = '{"model":"m","messages":[2]}';

  expect(requestBody(body, { sentBefore: "0,1", toolInputs: [] })).toEqual({
    text: '{"model":"m","messages":[0,1,2]}',
    messages: "0,1,2",
  });
  expect(requestBody('{"model":"m","messages":[]}', { sentBefore: "0,1", toolInputs: [] }).messages).toBe("0,1");
});

test("requestBody writes arguments as the model wrote them, any object in any form", () => {
  const odd = ['{ "b" : 1,\n"a":"\\u00e9" }', '{"__proto__":1}', '{"2":0,"1":0}', "{}\n"];
  for (const input of odd) {
    for (const written of ["{}", JSON.stringify(input), input])
      expect(argumentsIn(requestBody(withCall(written), { sentBefore: "", toolInputs: [input] }).text)).toBe(input);
  }
});

test("requestBody writes {} for arguments that are no JSON object, so that no endpoint chokes on them", () => {
  for (const input of ['{"cut', "", "[1]", '"text"', "1.0", "null"]) {
    for (const written of ["{}", JSON.stringify(input), input])
      expect(argumentsIn(requestBody(withCall(written), { sentBefore: "", toolInputs: [input] }).text)).toBe("{}");
  }
});

test("requestBody without its closing is a byte prefix of the body with more messages", () => {
  const property = fc.property(fc.array(fc.jsonValue()), fc.array(fc.jsonValue()), (messages, more) => {
    const write = (all: readonly unknown[]): string =>
      requestBody(JSON.stringify({ messages: all, model: "m" }), nothingBefore).text;
    expect(write([...messages, ...more])).toStartWith(write(messages).slice(0, -2));
  });
  fc.assert(property);
});
