import { expect, test } from "bun:test";
import fc from "fast-check";
import { keys, numberText } from "./keys.ts";

const ids = fc.string({ unit: "binary", minLength: 1 });

test("keys of two chats never collide, and sort within their lists", () => {
  const property = fc.property(ids, ids, ids, (channel, a, b) => {
    fc.pre(a.toWellFormed() !== b.toWellFormed());
    const owed = keys.owed(channel, a, numberText(7));
    expect(owed.startsWith(keys.owedIn(channel, a))).toBe(true);
    expect(owed.startsWith(keys.owedIn(channel, b))).toBe(false);
    expect(owed < keys.end(keys.allOwed(channel))).toBe(true);
    expect([keys.chatOf(owed), keys.last(owed)]).toEqual([a.toWellFormed(), numberText(7)]);
  });
  fc.assert(property);
});

test("last() returns the id from which a key was built, without NUL", () => {
  const property = fc.property(ids, ids, (channel, id) => {
    const key = keys.person(channel, id);
    expect(keys.last(key)).toBe(id.toWellFormed());
    expect(key).not.toContain("\0");
  });
  fc.assert(property);
});
