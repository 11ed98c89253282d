import { expect, test } from "bun:test";
import { DeferredLists } from "./deferred-lists.ts";
import type { DeferredTool } from "./tool-index.ts";

const tools = ["a", "b"].map((name): DeferredTool => ({
  definition: { name, description: name, inputSchema: { type: "object" } },
  server: "crm",
}));
const definitions = tools.map(({ definition }) => definition);

test("forRequests and named read a list once and return identical objects afterwards", async () => {
  let reads = 0;
  const lists = new DeferredLists(async () => {
    reads += 1;
    return tools;
  });

  const first = await lists.forRequests("x");
  const named = await lists.named("x", new Set(["b", "none"]));

  expect(first).toEqual(definitions);
  expect(await lists.forRequests("x")).toBe(first);
  expect([...named.keys()]).toEqual(["b"]);
  expect(named.get("b")).toEqual({ name: "b", description: "b", inputSchema: { type: "object" } });
  expect((await lists.named("x", new Set(["b", "none"]))).get("b") === named.get("b")).toBe(true);
  expect(reads).toBe(2);
});

test("forRequests and named retry a missing list and forward storage errors", async () => {
  const answers: (readonly DeferredTool[] | undefined)[] = [undefined, undefined, tools, tools];
  const lists = new DeferredLists(async () => answers.shift());

  expect(await lists.forRequests("x")).toEqual([]);
  expect(await lists.named("x", new Set(["a"]))).toEqual(new Map());
  expect(await lists.forRequests("x")).toEqual(definitions);
  expect((await lists.named("x", new Set(["a"]))).size).toBe(1);
  const broken = new DeferredLists(() => Promise.reject(new Error("the disk is gone")));
  expect(String(await broken.forRequests("x").catch((error: unknown) => error))).toContain("the disk is gone");
});

test("forRequests caches the newest eight lists", async () => {
  let reads = 0;
  const lists = new DeferredLists(async () => {
    reads += 1;
    return tools;
  });
  for (let index = 0; index < 9; index += 1) await lists.forRequests(`list ${index}`);

  await lists.forRequests("list 8");
  expect(reads).toBe(9);
  await lists.forRequests("list 0");
  expect(reads).toBe(10);
});
