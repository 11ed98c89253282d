import type { ChatMessage } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { toHistory } from "./history.ts";

const user: ChatMessage = { role: "user", content: "Go" };
const call = (...ids: readonly string[]): ChatMessage => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "look", arguments: "{}" } })),
});
const result = (id: string, content: string): ChatMessage => ({ role: "tool", tool_call_id: id, content });

test("toHistory makes call ids unique with matching results, and keeps prefixes stable", () => {
  const messages = [
    user,
    call("c", "d"),
    result("d", "first d"),
    result("c", "first c"),
    call("c"),
    result("c", "second c"),
    call("", "c-2"),
    result("c-2", "third"),
    result("", "fourth"),
  ];

  const { messages: history } = toHistory(messages);

  const parts = history.flatMap((message) => message.parts);
  expect(parts.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []))).toEqual([
    "c",
    "d",
    "c-2",
    "call",
    "c-2-2",
  ]);
  expect(parts.flatMap((part) => (part.type === "tool-result" ? [[part.toolCallId, part.output]] : []))).toEqual([
    ["d", "first d"],
    ["c", "first c"],
    ["c-2", "second c"],
    ["c-2-2", "third"],
    ["call", "fourth"],
  ]);
  for (const end of [1, 4, 6])
    expect(history.slice(0, toHistory(messages.slice(0, end)).messages.length)).toEqual([
      ...toHistory(messages.slice(0, end)).messages,
    ]);
});

test("toHistory merges adjacent results, and extracts system messages from any position", () => {
  const { system, messages } = toHistory([
    { role: "system", content: "One" },
    user,
    call("c", "d"),
    result("c", "seen"),
    {
      role: "developer",
      content: [
        { type: "text", text: "Tw" },
        { type: "text", text: "o" },
      ],
    },
    result("d", "seen"),
    { role: "assistant", content: "Done", reasoning_content: "Hm" },
  ]);

  expect(system).toEqual(["One", "Two"]);
  expect(messages.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)])).toEqual([
    ["user", "text"],
    ["assistant", "tool-call", "tool-call"],
    ["tool", "tool-result", "tool-result"],
    ["assistant", "reasoning", "text"],
  ]);
});

test("toHistory rejects messages between a call and its result, and a missing result", () => {
  const said: ChatMessage = { role: "assistant", content: "Well" };
  const whole = [user, call("c", "d"), result("c", "1"), result("d", "2"), user];
  const refused: readonly (readonly ChatMessage[])[] = [
    [user, call("c"), user, result("c", "1")],
    [user, call("c"), said, result("c", "1")],
    [user, call("c"), call("d"), result("c", "1"), result("d", "2")],
    [user, call("c", "d"), result("c", "1"), user, result("d", "2")],
    [user, call("c", "d"), result("c", "1"), said, result("d", "2")],
    [user, call("c")],
    [user, call("c", "d"), result("d", "2")],
    [user, result("c", "1")],
    [user, call("c", "c"), result("c", "1")],
    [user, call("c"), result("c", "1"), result("c", "2")],
  ];

  expect(toHistory(whole).messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  for (const messages of refused) expect(() => toHistory(messages)).toThrow(/tool_calls|tool_call_id/);
});

test("toHistory handles one repeated id as fast as distinct ids", () => {
  const count = 20_000;
  const messages = Array.from({ length: count }, () => [call("c"), result("c", "")]).flat();

  const { messages: history } = toHistory([user, ...messages]);

  const ids = history.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])),
  );
  expect(new Set(ids).size).toBe(count);
  expect(ids.at(-1)).toBe(`c-${count}`);
});

test("toHistory keeps an id of 200 characters, and truncates a longer one", () => {
  const idsOf = (length: number): readonly number[] => {
    const id = "i".repeat(length);
    const parts = toHistory([user, call(id), result(id, "found")]).messages.flatMap((message) => message.parts);
    return parts.flatMap((part) => ("toolCallId" in part ? [part.toolCallId.length] : []));
  };

  expect([idsOf(200), idsOf(201)]).toEqual([
    [200, 200],
    [200, 200],
  ]);
});
