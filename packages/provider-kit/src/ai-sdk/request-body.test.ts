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

test("requestBody orders settings, tools, then messages", () => {
  const { text } = requestBody('{"messages":[1],"tools":[2],"model":"m","stream":true}', nothingBefore);

  expect(text).toBe('{"model":"m","stream":true,"tools":[2],"messages":[1]}');
});

test("requestBody puts the growing list last, under any name", () => {
  for (const growingList of ["messages", "input", "contents"] as const) {
    const body = JSON.stringify({ [growingList]: [1], system: "s", model: "m" });
    const { text, list } = requestBody(body, { growingList, sentBefore: "0", toolInputs: [] });

    expect({ text, list }).toEqual({ text: `{"system":"s","model":"m","${growingList}":[0,1]}`, list: "0,1" });
  }
  expect(requestBody('{"input":[1]}', { ...nothingBefore, growingList: "input" }).text).toBe('{"input":[1]}');
});

test("requestBody throws for a body without the list", () => {
  expect(() => requestBody('{"messages":[]}', { ...nothingBefore, growingList: "input" })).toThrow();
});

test("requestBody preserves arguments of calls that are separate entries", () => {
  const call = { type: "function_call", call_id: "c", name: "a", arguments: "{}" };
  const body = JSON.stringify({ input: [{ role: "user" }, call, { ...call, arguments: '"{cut"' }] });
  const toolInputs = ['{ "b" : 1 }', "{cut"];

  const { text } = requestBody(body, { growingList: "input", sentBefore: "", toolInputs });

  expect(JSON.parse(text).input).toEqual([{ role: "user" }, { ...call, arguments: toolInputs[0] }, call]);
});

test("requestBody appends the body's messages to those sent before", () => {
  const body = '{"model":"m","messages":[2]}';

  expect(requestBody(body, { ...nothingBefore, sentBefore: "0,1" })).toEqual({
    text: '{"model":"m","messages":[0,1,2]}',
    list: "0,1,2",
  });
  expect(requestBody('{"model":"m","messages":[]}', { ...nothingBefore, sentBefore: "0,1" }).list).toBe("0,1");
});

test("requestBody preserves arguments of any object in any format", () => {
  const odd = ['{ "b" : 1,\n"a":"\\u00e9" }', '{"__proto__":1}', '{"2":0,"1":0}', "{}\n"];
  for (const input of odd) {
    for (const written of ["{}", JSON.stringify(input), input])
      expect(argumentsIn(requestBody(withCall(written), { ...nothingBefore, toolInputs: [input] }).text)).toBe(
        input,
      );
  }
});

test("requestBody keeps the body's arguments without original ones", () => {
  const call = { type: "function_call", call_id: "c", name: "a", arguments: '{ "x": 1.0 }' };
  const entries = JSON.stringify({ input: [call] });

  expect(argumentsIn(requestBody(withCall('{ "x": 1.0 }'), nothingBefore).text)).toBe('{ "x": 1.0 }');
  expect(JSON.parse(requestBody(entries, { ...nothingBefore, growingList: "input" }).text)).toEqual({
    input: [call],
  });
});

test("requestBody sends {} for arguments that are not a JSON object", () => {
  for (const input of ['{"cut', "", "[1]", '"text"', "1.0", "null"]) {
    for (const written of ["{}", JSON.stringify(input), input])
      expect(argumentsIn(requestBody(withCall(written), { ...nothingBefore, toolInputs: [input] }).text)).toBe(
        "{}",
      );
  }
});

test("requestBody without its closing is a byte prefix of a body with more messages", () => {
  const property = fc.property(fc.array(fc.jsonValue()), fc.array(fc.jsonValue()), (messages, more) => {
    const write = (all: readonly unknown[]): string =>
      requestBody(JSON.stringify({ messages: all, model: "m" }), nothingBefore).text;
    expect(write([...messages, ...more])).toStartWith(write(messages).slice(0, -2));
  });
  fc.assert(property);
});
