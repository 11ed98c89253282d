import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compileTemplate, parseTemplate, referencedVariables } from "./parser.ts";
import { TemplateTrace } from "./template/template-trace.ts";
import { anyTemplate } from "./testing/any-template.ts";
import { renderByGrammar } from "./testing/render-by-grammar.ts";
import { isWhiteSpace } from "./template/tag.ts";

const values = new Map<string, string | null>([
  ["a:b", "VALUE"],
  ["c:d", null],
  ["e:f", ""],
  ["file:my notes.md", "notes"],
  ["a: b", "spaced"],
  ["if:x", "named if"],
  ["a:/", "root"],
  ["_9Z:é😀", "letters"],
]);

describe("parseTemplate", () => {
  const cases: readonly (readonly [template: string, rendered: string])[] = [
    ["", ""],
    ["plain", "plain"],
    ["[a:b]", "VALUE"],
    ["x[a:b]y[a:b]z", "xVALUEyVALUEz"],
    ["[ \t\u00a0a:b\u2028\ufeff]", "VALUE"],
    ["[c:d]|[e:f]|[no:such]|[12:30]|[Note: x]", "||||"],
    ["[file:my notes.md]", "notes"],
    ["[a: b]", "spaced"],
    ["[if:x]", "named if"],
    ["[_9Z:é😀]", "letters"],
    [
      "[TODO:] [TODO: ] [:x] [] [ ] [a] [a b:c] [é:x] [-:x] [IF a:b]",
      "[TODO:] [TODO: ] [:x] [] [ ] [a] [a b:c] [é:x] [-:x] [IF a:b]",
    ],
    ["[a:x [a:b]", "[a:x VALUE"],
    ["[[a:b]]", "[VALUE]"],
    ["[a\n:b] [a:b\n] [a:b\r]", "[a\n:b] [a:b\n] [a:b\r]"],
    ["[a:b", "[a:b"],
    ["[", "["],
    ["]", "]"],
    ["[https://example.org] [a://] [if https://x]y", "[https://example.org] [a://] [if https://x]y"],
    ["[a:/]", "root"],
    ["[if !a://x]y[endif]", "[if !a://x]y[endif]"],
    ["\\[a:b]", "[a:b]"],
    ["\\\\[a:b]", "\\[a:b]"],
    ["\\n \\] \\a [a:b]\\", "\\n \\] \\a VALUE\\"],
    ["\\[\\[[a:b]", "[[VALUE"],
    ["[a:b\\[a:b]", "[a:b[a:b]"],
    ["[a:b\\]", ""],
    ["\\[if a:b]x[endif]", "[if a:b]x[endif]"],
    ["[if a:b]A[endif]", "A"],
    ["[if a:b]A[else]B[endif]", "A"],
    ["[if c:d]A[else]B[endif]", "B"],
    ["[if c:d]A[endif]", ""],
    ["[if e:f]A[else]B[endif]", "A"],
    ["[if no:such]A[else]B[endif]", "B"],
    ["[if !a:b]A[else]B[endif]", "B"],
    ["[if !c:d]A[else]B[endif]", "A"],
    ["[if\t \u3000a:b]A[endif]", "A"],
    ["[ if a:b ]A[ else ]B[ endif ]", "A"],
    ["[if ! a:b]A[endif]", "[if ! a:b]A[endif]"],
    ["[if !!a:b]A[endif]", "[if !!a:b]A[endif]"],
    ["[if a]A[endif]", "[if a]A[endif]"],
    ["[ifa:b]A[endif]", "A[endif]"],
    ["[if a:b]\n  [a:b]\n[else]\n  no\n[endif]\nend", "\n  VALUE\n\nend"],
    ["[if a:b][if c:d]1[else]2[endif]3[endif]", "23"],
    ["[if c:d][if a:b]1[else]2[endif]3[else]4[endif]", "4"],
    ["[if a:b][if a:b]1[else][endif][endif]2", "12"],
    ["[if c:d][if a:b]1[else][endif][endif]2", "2"],
    ["[if a:b]x[a:b]", "[if a:b]xVALUE"],
    ["[if c:d]x[else]y[a:b]", "[if c:d]x[else]yVALUE"],
    ["[ if  c:d ]x[ else ]y", "[ if  c:d ]x[ else ]y"],
    ["[if c:d]x[if a:b]y[endif]z", "[if c:d]xyz"],
    ["[if c:d]1[else]2[if a:b]3[else]4[endif]5[else]6", "[if c:d]1[else]235[else]6"],
    ["[endif]x[else]y[ endif ]", "[endif]x[else]y[ endif ]"],
    ["[if a:b]1[else]2[endif]3[else]4[endif]", "13[else]4[endif]"],
    ["[if c:d]1[else]2[else]3[endif]", "2[else]3"],
    ["[if a:b]1[else]2[else]3[endif]", "1"],
  ];

  for (const [template, rendered] of cases) {
    test(`parseTemplate renders ${JSON.stringify(template)} as ${JSON.stringify(rendered)}`, () => {
      const actual = parseTemplate(template, values);

      expect(actual).toBe(rendered);
      expect(renderByGrammar(template, values)).toBe(rendered);
    });
  }

  test("[template-never-fails] parseTemplate inserts a value once, verbatim", () => {
    const nasty = ["$&", "$1$$", "[a:b]", "[if a:b]x[endif]", "[endif]", "\\", "\\[", "\ud800", "\0"];

    for (const value of nasty) {
      expect(parseTemplate("[if v:x]<[v:x][v:x]>[endif]", new Map([["v:x", value]]))).toBe(`<${value}${value}>`);
    }
  });

  test("parseTemplate treats exactly the characters that trim() removes as white space", () => {
    const differing: number[] = [];
    for (let code = 0; code <= 0xffff; code++) {
      if (isWhiteSpace(code) !== (String.fromCharCode(code).trim() === "")) differing.push(code);
    }

    expect(differing).toEqual([]);
  });

  const fragments = fc.constantFrom(
    "[",
    "]",
    "\\",
    "!",
    ":",
    "/",
    "//",
    " ",
    "\n",
    "\r",
    "\u2028",
    "\ud83d",
    "\ude00",
    "if ",
    "x",
    "é",
    "[a:b]",
    "[c:d]",
    "[e:f]",
    "[ a:b ]",
    "[if a:b]",
    "[if !a:b]",
    "[if c:d]",
    "[if !c:d]",
    "[if e:f]",
    "[else]",
    "[endif]",
    "[endif]",
    "[ endif]",
    "\\[",
    "[a://x]",
    "[if",
    "a:b",
    "text",
  );
  const templates = anyTemplate(fragments);
  const resolved = fc
    .record({
      "a:b": fc.oneof(fragments, fc.string(), fc.constant(null)),
      "c:d": fc.oneof(fragments, fc.constant(null)),
      "e:f": fc.constantFrom("", null),
    })
    .map((record) => new Map<string, string | null>(Object.entries(record)));

  test("[template-never-fails] parseTemplate renders every string according to the grammar", () => {
    fc.assert(
      fc.property(templates, resolved, (template, vars) => {
        expect(parseTemplate(template, vars)).toBe(renderByGrammar(template, vars));
      }),
      { numRuns: 3_000 },
    );
  });

  test("parseTemplate keeps text without brackets", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const plain = text.replaceAll("[", "");
        expect(parseTemplate(plain, values)).toBe(plain);
      }),
    );
  });

  test("[sent-is-shown] compileTemplate traces contiguous ranges with their template positions", () => {
    fc.assert(
      fc.property(templates, resolved, (template, vars) => {
        const { ranges, branches, text } = traced(template, vars);

        let at = 0;
        for (const { start, end, variable, branch, templateStart, templateEnd } of ranges) {
          expect(start).toBe(at);
          expect(end).toBeGreaterThan(start);
          const tag = template.slice(templateStart, templateEnd);
          const shown = text.slice(start, end);
          expect(shown).toBe(variable === null ? tag : (vars.get(variable) ?? ""));
          if (variable !== null) expect(tag.slice(1, -1).trim()).toBe(variable);
          if (branch !== null) expect(branches[branch]?.templateEnd).toBeLessThanOrEqual(templateStart);
          at = end;
        }
        for (const [
          index,
          { variable, isNegated, side, parent, templateStart, templateEnd },
        ] of branches.entries()) {
          const hasValue = (vars.get(variable) ?? null) !== null;
          expect(side).toBe(hasValue === isNegated ? "else" : "then");
          expect(template.slice(templateStart, templateEnd)).toMatch(
            isNegated ? /^\[\s*if\s+!/ : /^\[\s*if\s+[^!]/,
          );
          expect(parent ?? -1).toBeLessThan(index);
        }
        expect(at).toBe(text.length);
        expect(text).toBe(parseTemplate(template, vars));
      }),
      { numRuns: 1_000 },
    );
  });

  test("compileTemplate traces the branch of each part", () => {
    const template = "a[if x:y]b[if !c:d]c[c:d][else]d[x:y][endif]e[else]f[endif]g[if c:d][if x:y]h[endif][endif]";

    const { ranges, branches, text } = traced(
      template,
      new Map([
        ["x:y", "V"],
        ["c:d", ""],
      ]),
    );
    const pathOf = (index: number | null): string => {
      if (index === null) return "";
      const branch = branches[index];
      return `${pathOf(branch?.parent ?? null)}/${branch?.isNegated === true ? "!" : ""}${branch?.variable} ${branch?.side}`;
    };

    expect(ranges.map(({ start, end, branch }) => [text.slice(start, end), pathOf(branch)])).toEqual([
      ["a", ""],
      ["b", "/x:y then"],
      ["d", "/x:y then/!c:d else"],
      ["V", "/x:y then/!c:d else"],
      ["e", "/x:y then"],
      ["g", ""],
      ["h", "/c:d then/x:y then"],
    ]);
  });

  test("compileTemplate traces a bounded number of branches in linear time", () => {
    const depth = 100_000;
    const template = `${"[if a:b]x".repeat(depth)}${"[endif]".repeat(depth)}`;

    const { ranges, branches } = traced(template, new Map([["a:b", "v"]]));

    expect(branches).toHaveLength(10_000);
    expect(ranges).toHaveLength(depth);
    expect(ranges.at(-1)?.branch).toBe(9_999);
  });

  test("[template-never-fails] parseTemplate renders hostile templates completely", () => {
    const vars = new Map([["a:b", "v"]]);
    const depth = 100_000;

    expect(parseTemplate("[".repeat(1_000_000), vars)).toBe("[".repeat(1_000_000));
    expect(parseTemplate("[a:".repeat(300_000), vars)).toBe("[a:".repeat(300_000));
    expect(parseTemplate(`${"[if a:b]".repeat(depth)}x${"[endif]".repeat(depth)}`, vars)).toBe("x");
    expect(parseTemplate("[if a:b]x[else]".repeat(depth), vars)).toBe("[if a:b]x[else]".repeat(depth));
    expect(parseTemplate("[endif]".repeat(depth), vars)).toBe("[endif]".repeat(depth));
    expect(parseTemplate("[a:b]".repeat(1_000_000), vars)).toBe("v".repeat(1_000_000));
    expect(parseTemplate(`[a:${"x".repeat(1_000_000)}`, vars)).toHaveLength(1_000_003);
  });
});

function traced(
  template: string,
  vars: ReadonlyMap<string, string | null>,
): TemplateTrace & { readonly text: string } {
  const trace = new TemplateTrace();
  return Object.assign(trace, { text: compileTemplate(template).render(vars, trace) });
}

test("referencedVariables lists each variable once, in order, including conditions and hidden branches", () => {
  const names = referencedVariables("[b:x][if !a:y][c:z][else][b:x][endif][if d:open] \\[e:no] [https://x]");

  expect(names).toEqual(["b:x", "a:y", "c:z"]);
});
