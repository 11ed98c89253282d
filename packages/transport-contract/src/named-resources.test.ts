import { expect, test } from "bun:test";
import { namedResources } from "./named-resources.ts";

test("namedResources finds servers and URIs once each, without sentence punctuation", () => {
  const text = 'Compare @a:file:///x.md, (@b-1:issue+x://tides/12) and "@a:file:///x.md"; @a:db://t?q=1#here.';

  expect(namedResources(text)).toEqual([
    { server: "a", uri: "file:///x.md" },
    { server: "b-1", uri: "issue+x://tides/12" },
    { server: "a", uri: "db://t?q=1#here" },
  ]);
});

test("namedResources ignores email addresses and package names", () => {
  for (const text of [
    "ada@x:file:///a",
    "@types/node",
    "@a:b",
    "@a: file:///x",
    "@:x://y",
    "a@x.dev",
    "@a:x://",
    "@a:x://.",
  ])
    expect(namedResources(text)).toEqual([]);
});

test("namedResources runs in linear time", () => {
  const started = performance.now();

  for (const part of ["@a:b://", "@a:b://(", "(@a:b://.", "@a:b://......"]) namedResources(part.repeat(100_000));

  expect(performance.now() - started).toBeLessThan(5_000);
});
