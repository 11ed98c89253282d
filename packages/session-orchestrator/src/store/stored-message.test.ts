import { messageSchema, type Message } from "@incipit/schema";
import { expect, test } from "bun:test";
import { toModelMessage } from "../call/model-messages.ts";
import { storedMessageSchema } from "./stored-message.ts";

const id = "01a2073a-f686-726f-9c21-894514a6b741";
const plain = {
  id,
  role: "user",
  parts: [{ type: "text", text: "Hello" }],
  turnId: id,
  epoch: 1,
  createdAt: "2026-01-01T00:00:00.000Z",
};

const values: readonly unknown[] = [
  plain,
  { ...plain, role: "assistant", model: "local/m" },
  { ...plain, parts: [] },
  { ...plain, parts: [{ text: "the other way round", type: "text" }] },
  { ...plain, parts: [{ type: "text", text: "x", metadata: { vendor: { signature: "s" } } }] },
  { ...plain, parts: [{ type: "text", text: "x", other: 1 }] },
  { ...plain, parts: [{ type: "text" }] },
  { ...plain, parts: [{ type: "reasoning", text: "x" }] },
  { ...plain, parts: {} },
  { ...plain, other: 1 },
  { ...plain, model: 1 },
  { ...plain, epoch: 0 },
  { ...plain, carriedFrom: id },
  ...Object.keys(plain).flatMap((left) => {
    const rest = Object.fromEntries(Object.entries(plain).filter(([key]) => key !== left));
    return [rest, { ...rest, other: 1 }, { ...rest, model: "local/m" }];
  }),
  null,
  [],
  "text",
];

test("storedMessageSchema accepts and returns the same as messageSchema", () => {
  for (const value of values) {
    const result = storedMessageSchema["~standard"].validate(value);
    const expected = messageSchema.safeParse(value);
    const given = result instanceof Promise || result.issues !== undefined ? undefined : result.value;
    expect({ value, given }).toEqual({ value, given: expected.data });
  }
});

test("toModelMessage returns a fixed key order, on which audit hashes depend", () => {
  const stored = (part: unknown): Message => messageSchema.parse({ ...plain, parts: [part] });
  const swapped: Message = { ...stored(plain.parts[0]), parts: [{ text: "Hello", type: "text" }] };
  const sent = JSON.stringify({ role: "user", parts: [{ type: "text", text: "Hello" }] });

  for (const message of [stored(plain.parts[0]), swapped])
    expect(JSON.stringify(toModelMessage(message))).toBe(sent);
  expect(toModelMessage(stored({ type: "text", text: "" })).parts).toEqual([]);
  expect(JSON.stringify(toModelMessage(stored({ type: "text", text: "Hello", metadata: {} })))).toBe(sent);
});
