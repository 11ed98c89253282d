import { emptyAuditSummary, type AuditSummary } from "@incipit/schema";
import { expect, test } from "bun:test";
import { runAgainst } from "../testing/run-command.ts";

const at = "2026-01-01T00:00:00.000Z";
const one = { ...emptyAuditSummary, steps: 1 };

function conversation(
  number: number,
  summary: Partial<AuditSummary> = {},
  title: string | null = "Title",
): unknown {
  const id = `01a1fcd7-5c9a-7556-afda-${String(number).padStart(12, "0")}`;
  const facts = { model: "local/test", profile: null, archived: false, createdAt: at, updatedAt: at };
  return { id, title, ...facts, summary: { ...one, ...summary } };
}

interface Run {
  readonly stdout: readonly string[];
  readonly stderr: string;
  readonly routes: readonly string[];
}

async function run(words: readonly string[], ...pages: readonly unknown[]): Promise<Run> {
  const { stdout, stderr, requests } = await runAgainst(["audit", ...words], ...pages);
  return { stdout: stdout.split("\n"), stderr, routes: requests.map(({ route }) => route) };
}

function page(conversations: readonly unknown[], totals: Partial<AuditSummary> = {}, nextCursor?: string): unknown {
  return { conversations, totals: { ...emptyAuditSummary, ...totals }, nextCursor };
}

test("audit lists the causes of breaks per conversation with counts, and requested changes", async () => {
  const { stdout, stderr } = await run(
    [],
    page(
      [
        conversation(1, { steps: 1_234, share: 0.999, held: 1_230 }, null),
        conversation(2, {
          broken: 3,
          reasons: { "first-step": 1, compaction: 2, "tools-changed": 1, "model-changed": 4 },
        }),
        conversation(
          3,
          { broken: 1, reasons: { "tools-changed": 1 } },
          "A title that has to end before the line does",
        ),
      ],
      { steps: 7, held: 2, broken: 4 },
    ),
  );

  expect(stdout).toEqual([
    "  conversation                           calls    kept  broken  title",
    "  01a1fcd7-5c9a-7556-afda-000000000001   1,234    99 %       0  -",
    "! 01a1fcd7-5c9a-7556-afda-000000000002       1       -       3  Title",
    "    other tools (tools-changed), another model (model-changed) × 4; 2 on request",
    "! 01a1fcd7-5c9a-7556-afda-000000000003       1       -       1  A title that ha…",
    "    other tools (tools-changed)",
    "",
    "7 model calls: 2 with an intact prefix, 4 cache breaks",
    "The vendor reported no tokens",
    "",
  ]);
  expect(stderr).toBe("(incipit audit ID says what broke it, at which byte, and what to do)\n");
});

test("audit sums all pages and shows the newest twenty unless all are requested", async () => {
  const numbers = Array.from({ length: 21 }, (_, index) => index + 1);
  const pages = [
    page(
      numbers.slice(0, 20).map((number) => conversation(number)),
      { steps: 20, held: 20 },
      "more",
    ),
    page([conversation(21)], { steps: 1, held: 1 }),
  ];

  const newest = await run([], ...pages);
  const all = await run(["all"], ...pages);
  const exact = await run([], page(numbers.slice(0, 20).map((number) => conversation(number))));

  expect(newest.stdout.slice(20, 23)).toEqual([
    expect.stringContaining("-000000000020 "),
    "… and 1 older ones (incipit audit all)",
    "",
  ]);
  expect(newest.stdout).toContain("21 model calls: 21 with an intact prefix");
  expect(newest.stderr).toBe("");
  expect(newest.routes).toEqual(["GET /audit?onlyBroken=false", "GET /audit?onlyBroken=false&cursor=more"]);
  expect(all.stdout.slice(20, 23)).toEqual([
    expect.stringContaining("-000000000020 "),
    expect.stringContaining("-000000000021 "),
    "",
  ]);
  expect(exact.stdout.slice(20, 22)).toEqual([expect.stringContaining("-000000000020 "), ""]);
});

test("audit suggests corrections and reports an empty result", async () => {
  const since = ["--since", "2026-01-02"];

  const none = await run(["broken", ...since, "--reason", "tools-changed"], page([]));

  expect(none).toMatchObject({
    stdout: [""],
    stderr: "No conversation with a model call fits; incipit audit shows them without a filter\n",
    routes: ["GET /audit?onlyBroken=true&since=2026-01-02T00%3A00%3A00.000Z&reason=tools-changed"],
  });
  const json = await run(["--json"], page([conversation(1)], { steps: 1 }, "more"), page([], { steps: 2 }));
  expect(json.stdout.map((line) => line && JSON.parse(line))).toMatchObject([
    { title: "Title" },
    { totals: { steps: 3 } },
    "",
  ]);
  expect(json.stderr).toBe("");
});
