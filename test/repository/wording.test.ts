import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import { dialectOf, maxRates, proseLines, retiredTerms, type ProseKind, type ProseLine } from "./dialect.ts";

const root = join(import.meta.dir, "../..");
const tooLong = /^.{121}/u;

interface Line {
  readonly text: string;
  readonly place: string;
}

async function linesOf(file: string): Promise<readonly Line[]> {
  const text = await Bun.file(join(root, file)).text();
  return text.split("\n").map((line, index) => ({ text: line, place: `${file}:${index + 1}` }));
}

function ours(pattern: string): readonly string[] {
  const files = [...new Glob(pattern).scanSync({ cwd: root })];
  return files.filter((file) => !/(?:^|\/)(?:node_modules|dist)\//.test(file)).toSorted();
}

function proseOf(lines: readonly Line[]): readonly Line[] {
  let fence: string | undefined;
  return lines.filter(({ text }) => {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(text) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
      return false;
    }
    fence = mark;
    return mark === undefined && !/^\s*(?:\||\[[^\]]+\]:)/.test(text);
  });
}

test('docblocks do not begin with "Of"', async () => {
  const files = ours("{apps,packages,extensions,test,examples,bench}/**/*.{ts,tsx}");
  const found: string[] = [];

  for (const file of files) {
    const lines = await linesOf(file);
    for (const [index, { text, place }] of lines.entries()) {
      const first = /^\s*\/\*\*$/.test(text) ? lines[index + 1]?.text.replace(/^\s*\*/, "/**") : text.trim();
      if (first !== undefined && /^\/\*\* Of\b/.test(first)) found.push(place);
    }
  }

  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

test("lines of pages have at most 120 characters, except code and tables", async () => {
  const pages = ours("**/*.md").filter((page) => page !== "THIRD-PARTY-NOTICES.md");
  const found: string[] = [];

  for (const page of pages) {
    const long = proseOf(await linesOf(page)).filter(({ text }) => tooLong.test(text));
    found.push(...long.map(({ place }) => place));
  }

  expect(pages.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});

/** Not "it is no folder" but "it is not a folder", not "all that there are" but "all". */
const stilted =
  /\b(?:it|this|which|that) (?:is|are) no (?!longer|more|less|such|room|need)[a-z]+|\b(?:all|those|ones?) that there (?:is|are)\b|\bwhat there is\b|\bwhy it is so\b/i;

test("pages and program texts avoid stilted negations", async () => {
  const pages = ["README.md", ...ours("docs/guide/*.md"), ...ours("{packages,extensions}/*/README.md")];
  const sources = ours("{apps,packages,extensions}/**/src/**/*.{ts,tsx}").filter((file) => !/test/.test(file));
  const found: string[] = [];

  for (const file of [...pages, ...sources]) {
    const isPage = file.endsWith(".md");
    for (const { text, place } of await linesOf(file)) {
      const told = isPage || !/^\s*(?:\/\*\*|\*|\/\/)/.test(text) ? text.replace(isPage ? "" : / \/\/ .*/, "") : "";
      if (stilted.test(isPage || /["`]/.test(told) ? told : "")) found.push(`${place}: ${told.trim()}`);
    }
  }

  expect(sources.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

test("program texts refer to no repository page, which an installed command lacks", async () => {
  const files = ours("{packages,extensions}/**/src/**/*.ts").filter((file) => !/test/.test(file));
  const found: string[] = [];

  for (const file of files)
    for (const { text, place } of await linesOf(file))
      if (!/^\s*(?:\/\*\*|\*|\/\/)/.test(text) && /docs\/guide/.test(text.replace(/ \/\/ .*/, "")))
        found.push(place);

  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

test("texts printed as one line contain no line break, which would be escaped", async () => {
  const files = ours("packages/host-bin/src/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
  const found: string[] = [];

  for (const file of files)
    for (const { text, place } of await linesOf(file)) {
      // A complete first argument only; expressions inside `${}` are not checked.
      if (/\b(?:outLine|errLine)\((["`])(?:(?!\1|\$\{).|\$\{[^}]*\})*\\n/.test(text)) found.push(place);
    }

  expect(files.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

const kinds: readonly ProseKind[] = ["comments", "tests", "pages", "strings"];

test("comments, test names, pages and strings of programs use the field's terms", async () => {
  const files = ours("**/*.{ts,tsx,md}").filter(
    (file) => !/THIRD-PARTY|CHANGELOG|\.d\.ts$|generated|fixtures?\//.test(file),
  );
  const prose: Record<ProseKind, ProseLine[]> = { comments: [], tests: [], pages: [], strings: [] };
  for (const file of files) {
    const found = proseLines(file, await Bun.file(join(root, file)).text());
    for (const kind of kinds) prose[kind].push(...found[kind]);
  }

  const excess = kinds.flatMap((kind) => {
    const { rate, worst } = dialectOf(prose[kind]);
    return rate > maxRates[kind] ? [{ kind, rate: Math.round(rate), worst }] : [];
  });

  expect(files.length).toBeGreaterThan(2_000);
  expect(excess).toEqual([]);
});

test("dialectOf finds a phrase in a comment, a test name and a page, and none in code", () => {
  const source = '/** Tells what is told. `says` */\nconst says = 1; // nobody\ntest("nobody asks", () => {});\n';
  const page = "# Whoever asks\n```\nnobody\n```\n`nobody`\n";
  const { comments, tests } = proseLines("a.ts", source);
  const { pages } = proseLines("a.md", page);

  expect([comments, tests, pages].map((lines) => dialectOf(lines).worst)).toEqual([
    ["4 a.ts:1", "1 a.ts:2"],
    ["2 a.ts:3"],
    ["2 a.md:1"],
  ]);
  expect(dialectOf(tests).rate).toBe(10_000);
});

test("dialectOf finds a phrase in a string of a program, and none in its expressions, tests or single words", () => {
  const source = 'const a = `nobody asks ${nobody} here`;\nconst b = "nobody";\n';
  const [program, ofTest] = ["packages/a/src/a.ts", "packages/a/src/a.test.ts"].map(
    (file) => proseLines(file, source).strings,
  );

  expect(dialectOf(program ?? []).worst).toEqual(["2 packages/a/src/a.ts:1"]);
  expect(ofTest).toEqual([]);
});

test("retired terms are used nowhere", async () => {
  const files = ours("**/*.{ts,tsx,md}").filter(
    (file) =>
      !/THIRD-PARTY|CHANGELOG|\.d\.ts$|generated|^docs\/decisions\/|^test\/repository\/(?:dialect|wording\.test)\.ts$/.test(
        file,
      ),
  );
  const found: string[] = [];

  for (const file of files)
    for (const { text, place } of [{ text: file, place: "file" }, ...(await linesOf(file))])
      for (const { term, instead } of retiredTerms)
        if (term.test(text)) found.push(`${place}: write ${instead}: ${text.trim()}`);

  expect(files.length).toBeGreaterThan(2_000);
  expect(found).toEqual([]);
});
