import { expect, test } from "bun:test";
import type { Tool } from "@incipit/service-contract";
import { FakeClock } from "@incipit/testkit";
import { newTool } from "../testing/new-tool.ts";
import { callGrants, type CallGrants, type GivenGrant } from "./call-grants.ts";

function grantsOf(tool: Tool, given: readonly string[], clock = new FakeClock()): CallGrants {
  return callGrants(
    tool,
    {},
    {
      given: given.map((grant): GivenGrant => ({ grant, of: "the turn" })),
      conversationId: "one",
      cwd: "/work",
      clock,
      signal: new AbortController().signal,
    },
  );
}

test("allowedBy takes the name of a tool, and that of its server with a star, and no other", async () => {
  const by = (name: string): Promise<string | undefined> =>
    grantsOf(newTool(name), ["write", "files__*", "no grant", "*"]).allowedBy([]);

  expect(await Promise.all(["write", "files__read", "files__", "filesx__read", "writer", "shell"].map(by))).toEqual(
    ["write of the turn", "files__* of the turn", "files__* of the turn", undefined, undefined, undefined],
  );
});

test("allowedBy asks a tool about the patterns of its own name, wherever they were given, and joins what it names", async () => {
  const asked: unknown[] = [];
  const shell = newTool("shell", {
    grantedBy: async (_, { patterns }) => {
      asked.push(patterns);
      return patterns;
    },
  });
  const given = ["shell(a)", "write_file(b)"];
  const kept = [{ grant: "shell(c:*)", of: '"always" in this conversation' }];

  expect(await grantsOf(shell, given).allowedBy(kept)).toBe(
    'shell(a) of the turn, shell(c:*) of "always" in this conversation',
  );
  expect(await grantsOf(newTool("shell"), given).allowedBy(kept)).toBeUndefined();
  expect(asked).toEqual([["a", "c:*"]]);
});

test("allowedBy and scopes take nothing from a tool that throws, lies, or is late", async () => {
  const clock = new FakeClock();
  const fails = (): never => {
    throw new Error("broken");
  };
  const wrong: readonly Partial<Tool>[] = [
    { grantedBy: fails, scopes: fails },
    { grantedBy: async () => ["another"], scopes: async () => [{ id: "", label: "", covers: "", patterns: [] }] },
    { grantedBy: async () => [], scopes: async () => [{ id: "a", label: "a", covers: "a", patterns: ["git *"] }] },
    { grantedBy: () => new Promise(() => {}), scopes: () => new Promise(() => {}) },
  ];
  for (const members of wrong) {
    const grants = grantsOf(newTool("shell", members), ["shell(a)"], clock);
    const answers = Promise.all([grants.allowedBy([]), grants.scopes()]);
    await clock.advance(10_000);
    expect(await answers).toEqual([undefined, []]);
  }
});
