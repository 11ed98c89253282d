import { lookupQuirks } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { type DeferredTool, ToolIndex } from "./tool-index.ts";

const noKeys: readonly string[] = [];

function tool(name: string, description = "", { server = "x", keys = noKeys } = {}): DeferredTool {
  const properties = Object.fromEntries(keys.map((key) => [key, { type: "string" }]));
  return { server, definition: { name, description, inputSchema: { type: "object", properties } } };
}

async function names(tools: readonly DeferredTool[], query: string): Promise<readonly string[]> {
  return (await ToolIndex.of(tools)).search(query).map(({ definition }) => definition.name);
}

const tools = [
  tool("crm__close_deal", "Closes a deal, and tells the customer"),
  tool("crm__create_deal", "Makes a deal", { keys: ["customerId", "amount"] }),
  tool("git__createIssue", "Opens a ticket about a bug", { server: "git" }),
  tool("git__list_issues", "Lists all tickets", { server: "git" }),
  tool("mail__send", "Schickt eine Nachricht an größere Gruppen", { server: "mail" }),
];

for (const [query, expected] of [
  ["create issue", ["git__createIssue", "git__list_issues", "crm__create_deal"]],
  ["ISSUES", ["git__list_issues", "git__createIssue"]],
  ["git", ["git__list_issues", "git__createIssue"]],
  ["customer", ["crm__create_deal", "crm__close_deal"]],
  ["grossere GRÖSSERE größere", ["mail__send"]],
  ["crm__create_deal", ["crm__create_deal", "crm__close_deal", "git__createIssue"]],
  ["wool", []],
  ["!?", []],
] as const) {
  test(`ToolIndex for ${JSON.stringify(query)} finds ${expected.join(", ") || "nothing"}`, async () => {
    expect((await names(tools, query)).toSorted()).toEqual([...expected].toSorted());
    expect((await names(tools, query))[0]).toBe(expected[0] ?? undefined);
  });
}

test.each(lookupQuirks.map((quirk) => [quirk.query, quirk.description, quirk] as const))(
  "ToolIndex for %s ranks the tool described as %j first",
  async (query, description, { inputSchema }) => {
    const others = [tool("other__wool", "Spins wool"), tool("other__weather", "天気を読む 天气预报 날씨 อากาศ")];
    const definition = { name: "server__found", description, inputSchema };

    expect((await names([...others, { server: "server", definition }], query))[0]).toBe("server__found");
  },
);

test("ToolIndex does not match single letters within other words", async () => {
  expect(await names([tool("laws__search", "日本の法令を検索します")], "天気")).toEqual([]);
});

test("ToolIndex sorts deterministically, equal scores by name", async () => {
  const same = ["c", "a", "b"].toSorted().map((name) => tool(name, "paints a wall"));

  expect(await names(same, "paint walls")).toEqual(["a", "b", "c"]);
  expect(await names(same, "walls paint")).toEqual(["a", "b", "c"]);
});

test("[attack:bounds-tool-lookup] ToolIndex bounds its size for hostile descriptions", async () => {
  const flood = Array.from({ length: 20_000 }, (_, index) => {
    const words = Array.from({ length: 100 }, (_each, word) => (index * 100 + word).toString(36));
    return tool(`t${index}`, words.join(" "));
  });
  const accents = Array.from({ length: 1_000 }, (_, index) =>
    tool(`a${index}`, `a${"\u0316\u0301".repeat(16_000)}`),
  );
  const startMs = performance.now();

  const index = await ToolIndex.of([...accents, ...flood, tool("wool", "Spins wool")]);
  const found = index.search(Array.from({ length: 1_000 }, (_, word) => word.toString(36)).join(" "));
  const control = index.search("wool");

  expect(found.length).toBeGreaterThan(0);
  expect(control[0]?.definition.name).toBe("wool");
  expect(performance.now() - startMs).toBeLessThan(30_000);
});
