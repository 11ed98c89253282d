import { expect, test } from "bun:test";
import { callIdFor } from "./call-id.ts";

const rule = { maxLength: 40, refused: /[^a-zA-Z0-9_-]/ };

test("callIdFor keeps an id that the vendor accepts", () => {
  expect(callIdFor(rule, "toolu_01A-b")).toBe("toolu_01A-b");
  expect(callIdFor(rule, "a".repeat(40))).toBe("a".repeat(40));
  expect(callIdFor({ maxLength: 40 }, "functions.a:0")).toBe("functions.a:0");
  expect(callIdFor(undefined, "functions.a:0".repeat(99))).toBe("functions.a:0".repeat(99));
});

test("callIdFor maps other ids deterministically to accepted, unique ones", () => {
  const ids = [
    "functions.a:0",
    "functions.a.0",
    "functions:a:0",
    "a".repeat(41),
    "a".repeat(42),
    `${"é".repeat(50)}🎉`,
  ];
  const spelled = ids.map((id) => callIdFor(rule, id));
  expect(new Set(spelled).size).toBe(ids.length);
  for (const id of spelled) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
  expect(ids.map((id) => callIdFor(rule, id))).toEqual(spelled);
  expect(callIdFor({ maxLength: 40 }, `${"a".repeat(22)}🎉${"b".repeat(40)}`).isWellFormed()).toBe(true);
});
