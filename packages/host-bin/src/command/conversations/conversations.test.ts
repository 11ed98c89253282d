import { expect, test } from "bun:test";
import { userInfo } from "node:os";
import { bareConversation } from "../testing/bare-conversation.ts";
import { runAgainst, type RanAgainst } from "../testing/run-command.ts";

const { id } = bareConversation;
const sha256 = "a".repeat(64);

async function run(words: readonly string[], ...answers: readonly unknown[]): Promise<RanAgainst> {
  return runAgainst(["conversations", ...words], ...answers);
}

function titled(title: string): unknown {
  return { ...bareConversation, title };
}

test("conversations list fetches every page of the filtered list", async () => {
  const pages = [{ conversations: [titled("One")], nextCursor: "more" }, { conversations: [titled("Two")] }];

  for (const [words, archived] of [
    [[], "false"],
    [["list", "archived"], "true"],
    [["list", "all"], "all"],
    [["list", "all", "--status", "asking", "--model", "a/b"], "all&status=asking&model=a%2Fb"],
  ] as const) {
    const { stdout, requests } = await run(words, ...pages);
    expect(stdout).toBe(`${id}  2026-01-01 00:00 UTC  One\n${id}  2026-01-01 00:00 UTC  Two\n`);
    expect(requests.map(({ route }) => route)).toEqual([
      `GET /conversations?archived=${archived}`,
      `GET /conversations?archived=${archived}&cursor=more`,
    ]);
  }
});

test('conversations show prints all details, and "none" for absent ones', async () => {
  const { stdout } = await run(["show", id], { conversation: { ...bareConversation, archived: true } });

  expect(stdout.split("\n").map((row) => [row.slice(0, 9).trim(), row.slice(10)])).toEqual([
    ["id", id],
    ["title", "-"],
    ["model", "local/test"],
    ["profile", "-"],
    ["cwd", "/work"],
    ["created", "2026-01-01 00:00 UTC"],
    ["updated", "2026-01-01 00:00 UTC"],
    ["status", "idle"],
    ["archived", "yes"],
    ["history", `incipit conversations history ${id}`],
    ["go on", `incipit -s ${id} "…"`],
    ["", ""],
  ]);
});

test("conversations changes exactly the named field", async () => {
  const answer = { conversation: bareConversation };
  const of = async (...words: readonly string[]): Promise<unknown> => (await run(words, answer)).requests[0];

  expect(await of("rename", id, "New")).toEqual({ route: `PATCH /conversations/${id}`, body: { title: "New" } });
  expect(await of("archive", id)).toMatchObject({ body: { archived: true } });
  expect(await of("unarchive", id)).toMatchObject({ body: { archived: false } });
  expect(await of("fork", id)).toEqual({ route: `POST /conversations/${id}/fork`, body: {} });
  expect(await of("fork", id, "--after", "m")).toMatchObject({ body: { after: "m" } });
  expect(await of("fork", id, "--before", "m")).toMatchObject({ body: { before: "m" } });
});

test("conversations search shows matches of every page and reports an empty result", async () => {
  const matches = [
    { messageId: null, role: null, snippet: "a title", ranges: [{ start: 2, end: 7 }] },
    {
      messageId: id,
      role: "user",
      snippet: "x and x!",
      ranges: [
        { start: 0, end: 1 },
        { start: 6, end: 7 },
      ],
    },
  ];
  const page = { results: [{ conversation: titled("A title"), matches }], nextCursor: "more" };
  const rest = { results: [{ conversation: titled("Other"), matches: [] }] };

  const found = await run(["search", "x", "all"], page, rest);
  const none = await run(["search", "x"], { results: [] });
  const json = await run(["search", "x", "--json"], { results: [] });

  expect(found.stdout).toBe(
    `${id}  2026-01-01 00:00 UTC  A title\n  title  a title\n  ${id}  user  x and x!\n${id}  2026-01-01 00:00 UTC  Other\n`,
  );
  expect(found.requests.map(({ route }) => route)).toEqual([
    "GET /conversations/search?q=x&archived=all",
    "GET /conversations/search?q=x&archived=all&cursor=more",
  ]);
  expect([found.stderr, none.stderr, json.stderr]).toEqual([
    "",
    'No conversation has "x" in its title or in what was said (archived ones were not looked at)\n',
    "",
  ]);
});

test("conversations drift prints the changed prompt, the reasons and the cost of a rebuild", async () => {
  const kept = {
    sha256,
    sizeBytes: 9,
    templateVersion: null,
    reason: "first-turn",
    constructedAt: bareConversation.createdAt,
  };
  const causes = [
    { kind: "variable", name: "system:time", detail: "12:00 is 13:00" },
    { kind: "template", name: "version 1", detail: "version 1 is version 2" },
    { kind: "template", name: "default", detail: "another one" },
    { kind: "unknown", name: "", detail: "not kept" },
  ];
  const hunk = { oldStart: 1, oldLines: 2, newStart: 3, newLines: 4, lines: ["-a", "+b"], causes };
  const drift = {
    isSame: false,
    kept,
    now: { sha256, sizeBytes: 9, templateVersion: null },
    unified: "",
    isMinimal: true,
    hunks: [hunk],
    rebuildCost: { tokens: { count: 12, method: "estimate" }, firstChangedByte: 7, usd: 0.5 },
  };
  const free = { ...drift.rebuildCost, firstChangedByte: null, usd: null };

  const { stdout } = await run(["drift", id], { drift });

  expect(stdout.split("\n")).toEqual([
    "Built 2026-01-01 00:00 UTC, for the first message; what it would be now:",
    "",
    "# variable system:time: 12:00 is 13:00",
    "# template: version 1 is version 2",
    "# template default: another one",
    "# unknown: not kept",
    "@@ -1,2 +3,4 @@",
    "-a",
    "+b",
    "",
    "A rebuild costs a new read of about 12 tokens, from byte 7 of the prompt on, $0.50",
    `-> incipit conversations rebuild ${id}`,
    "",
  ]);
  expect((await run(["drift", id], { drift: { ...drift, rebuildCost: free } })).stdout).toContain(
    "tokens, from byte 0 of the prompt on\n",
  );
  expect((await run(["drift", id], { drift: { ...drift, isSame: true } })).stdout).toBe(
    `Nothing has changed: a prompt that is built now is the one that is kept (SHA-256 ${sha256})\n`,
  );
  expect((await run(["drift", id], { drift: null })).stderr).toContain("It has no prompt yet");
  expect(JSON.parse((await run(["drift", id, "--json"], { drift: null })).stdout)).toBeNull();
});

test("conversations rebuild prints the next prompt and sends author and reason", async () => {
  const facts = { reason: null, constructedAt: null, templateVersion: null, by: null, note: null };
  const answer = { systemPrompt: { systemPrompt: null, sha256: null, ...facts }, outcome: "rebuilt" };

  const rebuilt = await run(["rebuild", id, "--note", "why"], answer);
  const same = await run(["rebuild", id], { ...answer, outcome: "nothing-changed" });

  expect(rebuilt.stdout).toBe("Rebuilt: the next message is sent with no prompt\n");
  expect(rebuilt.requests).toMatchObject([{ body: { by: userInfo().username, note: "why" } }]);
  expect(same.stdout).toBe("Nothing has changed: a prompt that is built now is the one that is kept (no prompt)\n");
  expect(same.requests[0]?.body).not.toHaveProperty("note");
});
