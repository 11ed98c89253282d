import { expect, test } from "bun:test";
import { blocksOf, isVariable, tagsOf } from "./template-tags.ts";

test("tagsOf recognizes the same tags as the host", () => {
  const text = String.raw`[system:time][ if !git:branch ]x[else][endif] \[a:b] [https://x.org] [Endif] [if x] [a:b`;

  expect(tagsOf(text).map(({ kind, from, to }) => [kind, text.slice(from, to)])).toEqual([
    ["variable", "[system:time]"],
    ["if", "[ if !git:branch ]"],
    ["else", "[else]"],
    ["endif", "[endif]"],
    ["escaped", String.raw`\[a:b]`],
  ]);
});

test("isVariable accepts text that forms one variable in brackets", () => {
  expect(
    ["file:a b.md", "git:branch", "file:", "file://x", "file:a]b", "file:a[b", "file:a\nb", ""].map(isVariable),
  ).toEqual([true, true, false, false, false, false, false, false]);
});

test("tagsOf is linear in the number of brackets", () => {
  expect(tagsOf("[".repeat(1_000_000))).toEqual([]);
  expect(tagsOf("[a:b]".repeat(200_000))).toHaveLength(200_000);
});

test("blocksOf pairs each if with its own else and endif", () => {
  const text = "[if a:b]1[if c:d]2[else]3[endif]4[else]5[else]6[endif][endif][if e:f]";
  const blocks = blocksOf(tagsOf(text));

  expect(blocks.map(({ open, otherwise, close }) => [open.from, otherwise?.from, close.from])).toEqual([
    [9, 18, 25],
    [0, 33, 47],
  ]);
});
