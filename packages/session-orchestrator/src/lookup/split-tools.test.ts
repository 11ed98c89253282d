import { expect, test } from "bun:test";
import fc from "fast-check";
import { splitTools, type FoundTool } from "./split-tools.ts";

const includedTools = { maxBytes: 1_000, max: 20 };

function server(
  name: string | undefined,
  count: number,
  { sizeBytes = 10, defer }: { readonly sizeBytes?: number; readonly defer?: boolean } = {},
): readonly FoundTool[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${name ?? "own"}__${index}`,
    text: "x".repeat(sizeBytes),
    server: name,
    defer,
  }));
}

function divided(found: readonly FoundTool[]): unknown {
  const { shown, servers } = splitTools(found, includedTools);
  return { shown: shown.length, servers: servers.map(({ server: name, reason }) => `${name} ${reason}`) };
}

for (const [what, found, expected] of [
  ["all that fits", [...server(undefined, 5), ...server("a", 15)], { shown: 20, servers: [] }],
  [
    "one server too many",
    [...server(undefined, 5), ...server("a", 14), ...server("b", 13)],
    { shown: 18, servers: ["a no-room"] },
  ],
  [
    "bytes",
    [...server("a", 2, { sizeBytes: 600 }), ...server("b", 2, { sizeBytes: 400 })],
    { shown: 2, servers: ["a no-room"] },
  ],
  ["the host's own alone", server(undefined, 300), { shown: 300, servers: [] }],
  [
    "what is never deferred first",
    [...server("a", 15), ...server("b", 15, { defer: false })],
    { shown: 15, servers: ["a no-room"] },
  ],
  [
    "one that always is",
    [...server("a", 1, { defer: true }), ...server("b", 1)],
    { shown: 1, servers: ["a configured"] },
  ],
  ["more than any request takes", server("a", 501, { defer: false }), { shown: 0, servers: ["a too-many"] }],
  ["a megabyte", server("a", 2, { sizeBytes: 600_000, defer: false }), { shown: 0, servers: ["a too-many"] }],
] as const) {
  test(`splitTools includes or defers whole servers: ${what}`, () => {
    expect(divided(found)).toEqual(expected);
  });
}

test("splitTools reports every omission, and obeys limits unless a server overrides them", () => {
  const group = fc.record({ count: fc.integer({ min: 1, max: 12 }), sizeBytes: fc.integer({ min: 1, max: 200 }) });
  const property = fc.property(fc.array(group, { maxLength: 8 }), (groups) => {
    const found = groups.flatMap(({ count, sizeBytes }, index) => server(`s${index}`, count, { sizeBytes }));
    const { shown, deferred, servers, problems } = splitTools(found, includedTools);
    const all = [...shown, ...deferred].map(({ name }) => name);
    expect(all.toSorted()).toEqual(found.map(({ name }) => name).toSorted());
    expect(servers.reduce((sum, { count }) => sum + count, 0)).toBe(deferred.length);
    expect(shown.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(includedTools.maxBytes);
    expect(shown.length).toBeLessThanOrEqual(includedTools.max);
    expect(problems).toEqual([]);
  });
  fc.assert(property);
});

test("splitTools reports the tools beyond the search limit", () => {
  const { deferred, servers, problems } = splitTools(
    [...server("a", 15_000), ...server("b", 15_000)],
    includedTools,
  );

  expect(deferred).toHaveLength(20_000);
  expect(servers.map(({ count }) => count)).toEqual([15_000, 5_000]);
  expect(problems).toEqual([
    'The tools of "b": 10000 of 15000 are left out, as no more than 20000 tools with 32 MiB can be looked up; say which you need (enabled_tools)',
  ]);
});
