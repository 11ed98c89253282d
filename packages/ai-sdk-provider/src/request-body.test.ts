import { expect, test } from "bun:test";
import fc from "fast-check";
import { requestBody } from "./request-body.ts";

const nothingBefore = { growingList: "messages", sentBefore: "", toolInputs: [] } as const;

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

test("requestBody puts the list that the vendor's API grows last, under whichever name", () => {
  for (const growingList of ["messages", "input", "contents"] as const) {
    const body = JSON.stringify({ [growingList]: [1], system: "s", model: "m" });
    const { text, list } = requestBody(body, { growingList, sentBefore: "0", toolInputs: [] });

    expect({ text, list }).toEqual({ text: `{"system":"s","model":"m","${growingList}":[0,1]}`, list: "0,1" });
  }
  expect(requestBody('{"input":[1]}', { ...nothingBefore, growingList: "input" }).text).toBe('{"input":[1]}');
});

test("requestBody does not take a body that has no such list", () => {
  expect(() => requestBody('{"messages":[]}', { ...nothingBefore, growingList: "input" })).toThrow();
});

test("requestBody writes arguments as the model wrote them where each call is an entry of its own", () => {
  const call = { type: "function_call", call_id: "c", name: "a", arguments: "{}" };
  const body = JSON.stringify({ input: [{ role: "user" }, call, { ...call, arguments: '"{cut"' }] });
  const toolInputs = ['{ "b" : 1 }', "{cut"];

  const { text } = requestBody(body, { growingList: "input", sentBefore: "", toolInputs });

  expect(JSON.parse(text).input).toEqual([{ role: "user" }, { ...call, arguments: toolInputs[0] }, call]);
});

test("requestBody puts the body's messages behind those that were sent before", () => {
  const body = '{"model":"m","messages":[2]}';

  expect(requestBody(body, { ...nothingBefore, sentBefore: "0,1" })).toEqual({
    text: '{"model":"m","messages":[0,1,2]}',
    list: "0,1,2",
  });
  expect(requestBody('{"model":"m","messages":[]}', { ...nothingBefore, sentBefore: "0,1" }).list).toBe("0,1");
});

test("requestBody writes arguments as the model wrote them, any object in any form", () => {
  const odd = ['{ "b" : 1,\n"a":"\\u00e9" }', '{"__proto__":1}', '{"2":0,"1":0}', "{}\n"];
  for (const input of odd) {
    for (const written of ["{}", JSON.stringify(input), input])
      expect(argumentsIn(requestBody(withCall(written), { ...nothingBefore, toolInputs: [input] }).text)).toBe(
        input,
      );
  }
});

test("requestBody leaves arguments as they are when it is given none", () => {
  const call = { type: "function_call", call_id: "c", name: "a", arguments: '{ "x": 1.0 }' };
  const entries = JSON.stringify({ input: [call] });

  expect(argumentsIn(requestBody(withCall('{ "x": 1.0 }'), nothingBefore).text)).toBe('{ "x": 1.0 }');
  expect(JSON.parse(requestBody(entries, { ...nothingBefore, growingList: "input" }).text)).toEqual({
    input: [call],
  });
});

test("requestBody writes {} for arguments that are no JSON object, so that no endpoint chokes on them", () => {
  for (const input of ['{"cut', "", "[1]", '"text"', "1.0", "null"]) {
    for (const written of ["{}", JSON.stringify(input), input])
      expect(argumentsIn(requestBody(withCall(written), { ...nothingBefore, toolInputs: [input] }).text)).toBe(
        "{}",
      );
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
