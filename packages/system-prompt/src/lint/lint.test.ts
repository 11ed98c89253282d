import { describe, expect, test } from "bun:test";
import { DEFAULT_TEMPLATE, type LintFinding } from "@incipit/schema";
import fc from "fast-check";
import { getVariableCatalog } from "../catalog.ts";
import { lintTemplate } from "./lint.ts";
import { compileTemplate, parseTemplate } from "../parser.ts";
import { anyTemplate } from "../testing/any-template.ts";
import type { Brackets } from "../template/template-tag.ts";

const options = { catalog: getVariableCatalog(), promptRefresh: "compaction" } as const;

function lint(template: string): readonly LintFinding[] {
  return lintTemplate(template, options).findings;
}

function told(template: string): readonly (readonly [string, string])[] {
  return lint(template).map(({ code, offset, length }) => [code, template.slice(offset, offset + length)] as const);
}

function mended(template: string): string {
  let text = template;
  for (const { offset, length, replacement } of lint(template).toReversed())
    if (replacement !== null) text = `${text.slice(0, offset)}${replacement}${text.slice(offset + length)}`;
  return text;
}

describe("lintTemplate()", () => {
  test("lintTemplate accepts correct templates", () => {
    for (const template of [
      DEFAULT_TEMPLATE,
      "Text",
      "[TODO:] [https://example.org] \\[12:30] \\[sytem:time] array[0] [x] [if you like] [end] [else where]",
      "[if prompt:model]You are [prompt:model].[else]You have no name.[endif]",
      "[if !file:a.md]none[else][if git:branch][file:a.md][endif][endif]",
      "[if file:a.md][file:a.md][endif] [if file:b.md][file:b.md][endif]",
      "[ system:os ] [file:any/path with space.md] [file:/etc/motd]",
    ])
      expect({ template, told: told(template) }).toEqual({ template, told: [] });
  });

  test("lintTemplate reports line, column and length", () => {
    const template = "One\nTwo \u{1f600} [sytem:time]\r\n\n  [endif]";

    expect(lint(template)).toMatchObject([
      { code: "unknown-type", offset: 11, length: 12, line: 2, column: 8, severity: "error" },
      { code: "stray-endif", offset: 28, length: 7, line: 4, column: 3, severity: "error" },
    ]);
  });

  test("lintTemplate suggests and inserts the most similar known variable", () => {
    for (const [slip, meant] of [
      ["[sytem:time]", "[system:time]"],
      ["[system:tme]", "[system:time]"],
      ["[System:Time]", "[system:time]"],
      ["[system: time]", "[system:time]"],
      ["[prompt:os]", "[system:os]"],
      ["[git:cwd]", "[prompt:cwd]"],
      ["[fil:AGENTS.md]", "[file:AGENTS.md]"],
      ["[if !promt:model]a[else]b[endif]", "[if !prompt:model]a[else]b[endif]"],
    ] as const) {
      expect(lint(slip)[0]?.severity).toBe("error");
      expect(mended(slip)).toBe(meant);
      expect(lint(mended(slip)).filter(({ severity }) => severity === "error")).toEqual([]);
    }
    expect(lint("[git:log]")[0]?.fix).toContain("git:branch, git:status");
  });

  test("lintTemplate distinguishes prose in brackets from an unknown type", () => {
    const template =
      "At [12:30] [Note: read this] [see: below] [weather:city] [if weather:city][weather:city][endif]";

    expect(told(template)).toEqual([
      ["blank-text", "[12:30]"],
      ["blank-text", "[Note: read this]"],
      ["blank-text", "[see: below]"],
      ["unknown-type", "[weather:city]"],
      ["unknown-type", "[if weather:city]"],
    ]);
    expect(lint(template).map(({ severity }) => severity)).toEqual([
      "warning",
      "warning",
      "warning",
      "error",
      "warning",
    ]);
    expect(parseTemplate(mended("[12:30] [Note: x]"), new Map())).toBe("[12:30] [Note: x]");
  });

  test("lintTemplate reports unbalanced block tags", () => {
    expect(told("[if git:branch]a[else]b[else]c[endif] [else] [endif] [if system:x]")).toEqual([
      ["second-else", "[else]"],
      ["stray-else", "[else]"],
      ["stray-endif", "[endif]"],
      ["unclosed-if", "[if system:x]"],
    ]);
    expect(told("[if git:branch]a[else]b")).toEqual([["unclosed-if", "[if git:branch]"]]);
  });

  test("lintTemplate reports constant conditions", () => {
    for (const [template, finding] of [
      ["[if system:os]a[endif]", ["constant-condition", "[if system:os]"]],
      ["[if !prompt:cwd]a[endif]", ["constant-condition", "[if !prompt:cwd]"]],
      ["[if file:x]a[if file:x]b[endif][endif]", ["constant-condition", "[if file:x]"]],
      ["[if file:x]a[else][if file:x]b[endif]c[endif]", ["constant-condition", "[if file:x]"]],
      ["[if file:x]a[if git:branch]b[if !file:x]c[endif][endif][endif]", ["constant-condition", "[if !file:x]"]],
      ["[if git:branch]a[else]a[endif]", ["same-branches", "[if git:branch]a[else]a[endif]"]],
      ["[if git:branch][endif]", ["same-branches", "[if git:branch][endif]"]],
      ["[if file:x]a[else][file:x][endif]", ["always-blank", "[file:x]"]],
      ["[if !file:x][file:x][endif]", ["always-blank", "[file:x]"]],
    ] as const)
      expect({ template, told: told(template) }).toEqual({ template, told: [finding] });
    expect(lint("[if file:x]a[if file:x]b[endif][endif]")[0]).toMatchObject({ offset: 12 });
    expect(lint("[if !system:os]a[endif]")[0]?.message).toContain("always false");
    expect(told("[if file:x]a[endif][if file:x]b[endif]")).toEqual([]);
  });

  test("lintTemplate does not compare branches with nested conditions", () => {
    const inner = "[if git:branch]a[endif]";

    expect(told(`[if file:x]${inner}[else]${inner}[endif]`)).toEqual([]);
    expect(told("[if file:x]a[else]a[endif]")).toMatchObject([["same-branches", expect.any(String)]]);
  });

  test("conditions that lintTemplate calls constant are constant for all values", () => {
    const parts = fc.array(
      fc.constantFrom("[if a:b]", "[if !a:b]", "[if c:d]", "[else]", "[endif]", "[a:b]", "[c:d]", "x", "y"),
      { maxLength: 14 },
    );
    const catalog = ["a:b", "c:d"].map((name) => ({
      type: name.slice(0, 1),
      name: name.slice(2),
      description: "",
    }));
    const given = [null, "1"].flatMap((ab) =>
      [null, "1"].map(
        (cd): ReadonlyMap<string, string | null> =>
          new Map([
            ["a:b", ab],
            ["c:d", cd],
          ]),
      ),
    );
    fc.assert(
      fc.property(parts, (template) => {
        const text = template.join("");
        const brackets: Brackets = { tags: [], text: [], open: [] };
        compileTemplate(text, brackets);
        const { findings } = lintTemplate(text, { ...options, catalog });
        const constant = new Set(
          findings.filter(({ code }) => code === "constant-condition").map(({ offset }) => offset),
        );
        for (const { role, start, end } of brackets.tags) {
          if (role !== "if") continue;
          const marked = `${text.slice(0, start)}<here>${text.slice(start, end)}<in>${text.slice(end)}`;
          const reached = given
            .map((values) => parseTemplate(marked, values))
            .filter((out) => out.includes("<here>"));
          const outcomes = new Set(reached.map((out) => out.includes("<in>")));
          if (constant.has(start)) expect(outcomes.size).toBeLessThan(2);
          else expect(outcomes.size).not.toBe(1);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("lintTemplate reports brackets that look like misspelled tags", () => {
    expect(told("[system:time\n[file:a[b].md] [if ! git:branch] [if git] [IF git:branch]")).toEqual([
      ["not-a-tag", "[system:time"],
      ["not-a-tag", "[file:a"],
      ["not-a-tag", "[if ! git:branch]"],
      ["not-a-tag", "[if git]"],
      ["not-a-tag", "[IF git:branch]"],
    ]);
    expect(mended("[if git:branch]a[Else]b[/if]")).toBe("[if git:branch]a[else]b[endif]");
    expect(told("[if git:branch]a[else if git:status]b[endif]").map(([code]) => code)).toEqual(["not-a-tag"]);
  });

  test("[closed-by-default] lintTemplate reports possible secrets without disclosing them", () => {
    const secrets = [
      "sk-ant-api03-Zm9vYmFyMTIzNDU2Nzg5MA",
      "sk-proj-abcDEF123456abcDEF123456",
      "AKIAIOSFODNN7EXAMPLE",
      `ghp_${"a1B2".repeat(9)}`,
      "glpat-abcdefghij1234567890",
      ["xoxb", "123456789012", "abcdefGHIJKL"].join("-"),
      `AIza${"Sy1-".repeat(8)}abc`,
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.dBjftJeZ4CVPmB92K27uhbUJU1p1r",
      `npm_${"a1B2".repeat(9)}`,
    ];
    for (const secret of secrets) {
      for (const [template, severity] of [
        [`Use ${secret} for it`, "error"],
        [`[key:${secret}]`, "error"],
      ] as const) {
        const findings = lint(template);
        expect(findings.filter(({ code }) => code === "secret")).toMatchObject([{ severity }]);
        expect(JSON.stringify(findings)).not.toContain(secret);
      }
    }
    expect(told("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn")).toMatchObject([["secret", expect.anything()]]);
    expect(told("postgres://app:hunter2x@db/x")).toEqual([["secret", "hunter2x"]]);
    expect(lint("DB_PASSWORD = 'aX3kQ9zL2mN8bV5c'")).toMatchObject([{ code: "secret", severity: "warning" }]);
    for (const harmless of [
      "password: the user's own",
      "api_key = process.env.SOME_API_KEY_NAME",
      "sk-this-is-only-a-kebab-case-name",
      "token: AAAAAAAAAAAAAAAAAAAAAAAA",
      "https://example.org:443/path@x",
    ])
      expect({ harmless, told: told(harmless) }).toEqual({ harmless, told: [] });
  });

  test("lintTemplate reports how often a volatile variable changes", () => {
    const messages = lint("[system:time][system:date][git:status][git:branch][system:os]").map(
      ({ message }) => message.split(",")[0],
    );

    expect(messages).toEqual([
      "[system:time] changes on each turn",
      "[system:date] changes each day",
      "[git:status] changes whenever a file changes",
      "[git:branch] changes whenever the branch is switched",
    ]);
  });

  test("lintTemplate reports the cost of a volatile variable once", () => {
    const template = "[system:date] a [git:status] b [git:status] [system:hostname] [if git:branch]x[endif]";
    const ofRefresh = (promptRefresh: "compaction" | "turn"): readonly LintFinding[] =>
      lintTemplate(template, { ...options, promptRefresh }).findings;

    expect(ofRefresh("compaction").map(({ code, severity, offset }) => [code, severity, offset])).toEqual([
      ["volatile", "info", 0],
      ["volatile", "info", 16],
    ]);
    expect(ofRefresh("turn").map(({ code, severity }) => [code, severity])).toEqual([
      ["volatile", "warning"],
      ["volatile", "warning"],
    ]);
  });

  test("lintTemplate reports an empty or too long template", () => {
    expect(lint(" \n")).toMatchObject([{ code: "no-base-text", severity: "info", line: 1, column: 1 }]);
    expect(lint("x".repeat(128_000))).toEqual([]);
    expect(lint("x".repeat(128_004))).toMatchObject([{ code: "too-long", severity: "warning" }]);
    const of = (contextWindow: number): readonly LintFinding[] =>
      lintTemplate("x".repeat(4_004), { ...options, contextWindow }).findings;
    expect(of(4_004)).toEqual([]);
    expect(of(4_000)).toMatchObject([{ code: "too-long", severity: "warning", fix: expect.anything() }]);
    expect(of(1_000)).toMatchObject([{ code: "too-long", severity: "error" }]);
  });

  test("[template-never-fails] lintTemplate accepts any text; findings are in range and in order", () => {
    const fragments = fc.constantFrom(
      "[",
      "]",
      "\\",
      "[if ",
      "!",
      "[else]",
      "[endif]",
      "system:",
      "time",
      "\n",
      "\r\n",
      ":",
      "a",
    );
    fc.assert(
      fc.property(anyTemplate(fragments), (template) => {
        let before = 0;
        for (const { offset, length, line, column, message, fix } of lint(template)) {
          expect(offset).toBeGreaterThanOrEqual(before);
          expect(offset + length).toBeLessThanOrEqual(template.length);
          const lines = template.slice(0, offset).split("\n");
          expect([line, column]).toEqual([lines.length, (lines.at(-1) ?? "").length + 1]);
          expect([message, fix].every((text) => text !== "" && !text.endsWith("."))).toBe(true);
          before = offset;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("[template-never-fails] lintTemplate handles hostile templates with a bounded number of findings", () => {
    for (const [template, least] of [
      ["[".repeat(1_000_000), 0],
      ["[if a:b]".repeat(100_000), 100_000],
      [`${"[if git:branch]".repeat(60_000)}${"[endif]".repeat(60_000)}`, 59_999],
      ["[a:b]".repeat(200_000), 200_000],
      [`[a:${"x".repeat(1_000_000)}]`, 1],
      ["[file:a".repeat(150_000), 150_000],
      ["eyJ".repeat(300_000), 0],
      ["AKIAIOSFODNN7EXAMPLE ".repeat(50_000), 1],
    ] as const) {
      const { findings, omitted } = lintTemplate(template, options);
      expect(findings.length).toBeLessThanOrEqual(100);
      expect(findings.length + omitted).toBeGreaterThanOrEqual(least);
    }
  });

  test("lintTemplate keeps errors first when findings exceed the limit", () => {
    const { findings, omitted } = lintTemplate(`${"[12:30] ".repeat(150)}[endif]`, options);

    expect(findings).toHaveLength(100);
    expect(omitted).toBe(51);
    expect(findings.at(-1)?.code).toBe("stray-endif");
  });
});
