import { expect, test } from "bun:test";
import type { Requester } from "@incipit/schema";
import type { Tool } from "@incipit/service-contract";
import { FakeClock } from "@incipit/testkit";
import { callGrants, type CallGrants, type GivenGrant } from "./call-grants.ts";
import { newTool } from "../testing/new-tool.ts";

const host: Requester = { kind: "host", extension: "workspace-tools" };

function grantsOf(
  tool: Tool,
  given: readonly string[],
  { clock = new FakeClock(), owner = host }: { readonly clock?: FakeClock; readonly owner?: Requester } = {},
): CallGrants {
  return callGrants(
    tool,
    {},
    {
      owner,
      given: given.map((grant): GivenGrant => ({ grant, of: "the turn" })),
      conversationId: "one",
      cwd: "/work",
      clock,
      signal: new AbortController().signal,
    },
  );
}

test("allowedBy matches a tool's exact name and its server's wildcard only", async () => {
  const server: Requester = { kind: "server", extension: "mcp-tools", name: "files" };
  const by = async (name: string): Promise<string | undefined> => {
    const owner = name.startsWith("files__") ? server : host;
    return (await grantsOf(newTool(name), ["write", "files__*", "no grant", "*"], { owner }).allowedBy([]))?.by;
  };

  expect(await Promise.all(["write", "files__read", "files__", "filesx__read", "writer", "shell"].map(by))).toEqual(
    ["write of the turn", "files__* of the turn", "files__* of the turn", undefined, undefined, undefined],
  );
});

test("[attack:extension-inherits-written-grant] allowedBy limits a configured server grant to that server", async () => {
  const given = ["bank__*", "bank__pay", "pay", "pay(x)"];
  const by = async (name: string, owner: Requester): Promise<string | undefined> => {
    const tool = newTool(name, { grantedBy: async (_, { patterns }) => patterns });
    return (await grantsOf(tool, given, { owner }).allowedBy([]))?.by;
  };
  const added: Requester = { kind: "extension", extension: "acme.tools" };

  expect(await by("bank__pay", { kind: "server", extension: "mcp-tools", name: "bank" })).toBe(
    "bank__* of the turn",
  );
  for (const owner of [
    added,
    { ...added, name: "bank" },
    { kind: "client-server", extension: "offered-tools", name: "bank" },
    { kind: "server", extension: "mcp-tools", name: "ban" },
    host,
  ] as const)
    expect(await by("bank__pay", owner)).toBeUndefined();
  expect(await by("pay", added)).toBe("pay of the turn");
  expect(
    await grantsOf(newTool("x", { grantedBy: async () => ["y"] }), ["shell(y)"], { owner: added }).allowedBy([]),
  ).toBeUndefined();
});

test("allowedBy passes only a tool's own patterns, and joins its answer", async () => {
  const asked: unknown[] = [];
  const shell = newTool("shell", {
    grantedBy: async (_, { patterns }) => {
      asked.push(patterns);
      return patterns;
    },
  });
  const given = ["shell(a)", "write_file(b)"];
  const kept = [{ grant: "shell(ls:*)", of: '"always" in this conversation' }];

  expect(await grantsOf(shell, given).allowedBy(kept)).toEqual({
    by: 'shell(a) of the turn, shell(ls:*) of "always" in this conversation',
    patterns: ["a", "ls:*"],
  });
  expect(await grantsOf(newTool("shell"), given).allowedBy(kept)).toBeUndefined();
  expect(asked).toEqual([["a", "ls:*"]]);
});

test("allowedBy and scopes ignore a tool that throws, lies, or times out", async () => {
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
    const grants = grantsOf(newTool("shell", members), ["shell(a)"], { clock });
    const answers = Promise.all([grants.allowedBy([]), grants.scopes()]);
    await clock.advance(10_000);
    expect(await answers).toEqual([undefined, []]);
  }
});
