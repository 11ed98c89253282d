import { expect, test } from "bun:test";
import { ruleImports } from "./rule-imports.ts";

function pathsOf(text: string): readonly string[] {
  return ruleImports(text).map(({ path }) => path);
}

test("ruleImports finds paths after an @ at a word start, without trailing punctuation", () => {
  expect(pathsOf("@a.md\n- @../b/c.md, (see @d) me@example.org @, @@ x@y\n\t@~/e.md: @/f")).toEqual([
    "a.md",
    "../b/c.md",
    "d",
    "@",
    "~/e.md",
    "/f",
  ]);
  const text = "One @two.md.";
  const [found] = ruleImports(text);
  expect(text.slice(found?.start, found?.end)).toBe("@two.md");
});

test("ruleImports skips code spans and fenced blocks", () => {
  expect(pathsOf("`@a` `` ` @b `` @c `@d")).toEqual(["c"]);
  expect(pathsOf("```sh\n@a\n~~~\n@b\n```\n@c\n  ~~~~\n@d\n~~~\n@e\n~~~~~\n@f")).toEqual(["c", "f"]);
  expect(pathsOf("```one line``` @a\n@b\n````\n```\n@never")).toEqual(["a", "b"]);
});

test("ruleImports reads quoted and escaped paths, and offers paths with the following words", () => {
  const readings = (text: string): readonly string[] =>
    ruleImports(text).flatMap(({ start, end, path, others }) =>
      [{ end, path }, ...others].map((reading) => `${reading.path} <- ${text.slice(start, reading.end)}`),
    );

  expect(readings(String.raw`See @docs/my\ notes.md, and`)).toEqual([
    String.raw`docs/my notes.md <- @docs/my\ notes.md`,
  ]);
  expect(readings(`(@x "a") @"docs/my notes.md". @'it is.md'`)).toEqual([
    `docs/my notes.md <- @"docs/my notes.md"`,
    `it is.md <- @'it is.md'`,
  ]);
  expect(readings('- @"a @b.md" c')).toEqual([`a @b.md <- @"a @b.md"`]);
  expect(readings(String.raw`@"a \"b\".md"`)).toEqual([String.raw`a "b".md <- @"a \"b\".md"`]);
  expect(readings(String.raw`@docs\style.md`)).toEqual([
    String.raw`docs\style.md <- @docs\style.md`,
    String.raw`docs/style.md <- @docs\style.md`,
  ]);
  expect(readings("See @docs/my notes.md, v2.md too. @b")).toEqual([
    "docs/my <- @docs/my",
    "docs/my notes.md <- @docs/my notes.md",
    "docs/my notes.md, v2.md <- @docs/my notes.md, v2.md",
    "b <- @b",
  ]);
  expect(readings("@a `x.md`\n@b\nc.md")).toEqual(["a <- @a", "b <- @b"]);
});

test("ruleImports skips fenced blocks inside list items and block quotes", () => {
  expect(pathsOf("- One:\n\n      ```sh\n      @no\n      ```\n  @yes")).toEqual(["yes"]);
  expect(pathsOf("1.  One:\n    - ```\n      @no\n      ```\n      @yes\n- ~~~\n  @no\n~~~\n@b")).toEqual([
    "yes",
    "b",
  ]);
  expect(pathsOf("- ```\n  @no\nbehind the list @a\n\t\t```\n\t\t@no\n\t\t```\n@b")).toEqual(["a", "b"]);
  expect(pathsOf("> ```\n> @no\n> ```\n> @a\n> ```\n> @no\n@b\n- > ```\n  > @no\n  > ```\n@c")).toEqual([
    "a",
    "b",
    "c",
  ]);
});

test("ruleImports runs in linear time", () => {
  const took = (text: string): number => {
    const start = performance.now();
    ruleImports(text);
    return performance.now() - start;
  };
  for (const piece of [
    "@a ",
    "` ",
    "`` ` ",
    "@",
    "```\n",
    "@...... ",
    "@a\\ ",
    '@"a ',
    "@a b.md c.md ",
    "- ",
    "> ",
    "> ```\n",
  ]) {
    took(piece.repeat(20_000));
    expect(took(piece.repeat(200_000))).toBeLessThan(3_000);
  }
});
