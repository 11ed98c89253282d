import { explainSchema, type Explain } from "@incipit/schema";
import { expect, test } from "bun:test";
import { explainRows } from "./explain-rows.ts";

const sha256 = "a".repeat(64);
const bare = {
  model: null,
  tiers: [],
  append: null,
  variables: [],
  branches: [],
  ranges: [],
  segments: [],
  conflicts: [],
  sha256,
  sizeBytes: 0,
  templateVersion: null,
  tokens: { count: 3, method: "estimate" },
};

function shown(given: Partial<Record<keyof Explain, unknown>>, prompt = ""): readonly string[] {
  return explainRows(explainSchema.parse({ ...bare, ...given }), prompt, { isScreen: false, width: 80 });
}

const last = [`0 bytes, about 3 tokens, SHA-256 ${sha256}`];

test("explainRows omits empty tables", () => {
  expect(shown({})).toEqual(last);
  expect(shown({ isImported: true })).toEqual([
    "It came with an import: what follows is what its sender says of it.",
    "",
    ...last,
  ]);
});

test("explainRows names the base text and why the others were not used", () => {
  const tier = { won: false, reason: "not set", template: null, sha256: null, version: null };

  expect(
    shown({
      tiers: [
        { ...tier, tier: "profile", position: 1, source: "[profiles.a]" },
        { ...tier, tier: "global", position: 2, source: "stored", won: true, reason: "the first", version: 3 },
      ],
    }),
  ).toEqual([
    "Base template: the first that is set",
    "     1  profile  [profiles.a]       not set",
    "  *  2  global   stored, version 3  the first",
    "",
    ...last,
  ]);
});

test("explainRows shows each variable's value or the reason for a blank, and its trust", () => {
  const value = {
    type: "file",
    kind: "value",
    value: "x",
    reason: null,
    detail: null,
    extension: null,
    tookMs: 1.4,
  };
  const absent = { ...value, kind: "absent", value: null, sizeBytes: 0, trust: null };

  expect(
    shown({
      variables: [
        { ...value, name: "a", sizeBytes: 1, source: "/a", trust: "changed" },
        { ...value, name: "b", sizeBytes: 2, source: "/b", trust: null },
        { ...absent, name: "c", source: "/c", reason: "denied", detail: "outside" },
        { ...absent, name: "d", source: "/d" },
      ],
    }),
  ).toEqual([
    "Variables",
    "  [file:a]  1 bytes, changed since it was trusted  /a  1 ms",
    "  [file:b]  2 bytes                                /b  1 ms",
    "  [file:c]  absent: denied                         /c  1 ms  outside",
    "  [file:d]  absent: failed                         /d  1 ms",
    "",
    ...last,
  ]);
});

test("explainRows names each file that a variable omitted, and why", () => {
  const variable = {
    type: "rules",
    kind: "value",
    value: "x",
    reason: null,
    detail: null,
    extension: "rules",
    trust: null,
    sizeBytes: 1,
    source: "rules",
    tookMs: 1,
  };
  const leftOut = [{ path: "/a/gone.md", reason: "not-found", why: "there is no such file" }];

  expect(shown({ variables: [{ ...variable, name: "all", leftOut }] })).toEqual([
    "Variables",
    "  [rules:all]  1 bytes  rules  1 ms",
    "",
    "Omitted files",
    "  [rules:all]  /a/gone.md  there is no such file",
    "",
    ...last,
  ]);
});

test("explainRows shows the source of each text part and its side of a condition", () => {
  const range = {
    name: null,
    tier: "global",
    extension: null,
    branch: null,
    templateStart: null,
    templateEnd: null,
  };
  const branch = { variable: "file:a", parent: null, template: "base", templateStart: 0, templateEnd: 9 };
  const long = "x".repeat(300);

  expect(
    shown(
      {
        branches: [
          { ...branch, condition: "if file:a", side: "then" },
          { ...branch, condition: "if !file:a", side: "else" },
        ],
        ranges: [
          { ...range, start: 0, end: 2, origin: "literal" },
          { ...range, start: 2, end: 3, origin: "variable", name: "file:a", branch: 0 },
          { ...range, start: 3, end: 4, origin: "segment", name: "acme.s", tier: "segment", branch: 1 },
          { ...range, start: 4, end: 304, origin: "append", tier: "append" },
        ],
        segments: [
          { id: "acme.s", extension: "acme", order: 0, kind: "text", detail: null, tookMs: 0 },
          { id: "acme.t", extension: "acme", order: 1, kind: "failed", detail: "no luck", tookMs: 0 },
        ],
        conflicts: [{ point: "prompt-segments@1", name: "acme.s", extension: "other", detail: "taken" }],
      },
      `a\nbc${long}`,
    ),
  ).toEqual([
    "Segments of extensions",
    "  acme.s  acme  text",
    "  acme.t  acme  failed  no luck",
    "",
    "Not used",
    "  prompt-segments@1  acme.s  other  taken",
    "",
    "Parts of the prompt",
    '  0-2    literal         global                          "a\\n"',
    '  2-3    [file:a]        global   in [if file:a]         "b"',
    '  3-4    segment acme.s  segment  in [if !file:a], else  "c"',
    expect.stringMatching(/^ {2}4-304 {2}append {10}append {26}"x{10,}… \(2\d\d characters more\)$/),
    "",
    ...last,
  ]);
});

test("explainRows limits a table to two hundred rows and prints how many are left", () => {
  const rows = (count: number): readonly string[] =>
    shown({
      conflicts: Array.from({ length: count }, () => ({
        point: "prompt-segments@1",
        name: "n",
        extension: "e",
        detail: "d",
      })),
    });

  expect(rows(200)).toHaveLength(1 + 200 + 1 + 1);
  expect(rows(202).slice(201, 203)).toEqual(["  … and 2 more (--json has all)", ""]);
});
