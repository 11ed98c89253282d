import { expect, test } from "bun:test";
import { graphOf, type LinkedExtension } from "./extension-graph.ts";

function extension(id: string, links: Partial<LinkedExtension> = {}): LinkedExtension {
  return { id, provides: [], requires: [], uses: [], contributes: [], reads: [], ...links };
}

test("graphOf places each extension right of its sources and names the edges", () => {
  const { nodes, edges } = graphOf([
    extension("page", { uses: ["http@1"] }),
    extension("http", { provides: ["http@1"], requires: ["talk@1"], reads: ["models@1"] }),
    extension("talk", { provides: ["talk@1"], reads: ["models@1"] }),
    extension("vendor", { contributes: ["models@1"] }),
  ]);

  expect(Object.fromEntries(nodes.map((node) => [node.extension.id, node.column]))).toEqual({
    vendor: 0,
    talk: 1,
    http: 2,
    page: 3,
  });
  expect(edges.map(({ from, to, kind, names }) => `${from} ${kind} ${names.join()} ${to}`)).toEqual([
    "http used http@1 page",
    "talk required talk@1 http",
    "vendor contributed models@1 http",
    "vendor contributed models@1 talk",
  ]);
});

test("graphOf places each extension in its own cell, even in a cycle", () => {
  const { nodes } = graphOf([
    extension("a", { provides: ["a@1"], uses: ["b@1"] }),
    extension("b", { provides: ["b@1"], uses: ["a@1"] }),
    extension("c"),
  ]);

  expect(new Set(nodes.map(({ column, row }) => `${column} ${row}`)).size).toBe(3);
});
