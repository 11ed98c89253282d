import { expect, test } from "bun:test";
import { ruleImports } from "./rule-imports.ts";

function pathsOf(text: string): readonly string[] {
  return ruleImports(text).map(({ path }) => path);
}

test("ruleImports finds paths behind an @ at the start of a line or behind white space, without punctuation at their end", () => {
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

test("ruleImports finds none in code spans and fenced blocks, and goes on behind them", () => {
  expect(pathsOf("`@a` `` ` @b `` @c `@d")).toEqual(["c"]);
  expect(pathsOf("```sh\n@a\n~~~\n@b\n```\n@c\n  ~~~~\n@d\n~~~\n@e\n~~~~~\n@f")).toEqual(["c", "f"]);
  expect(pathsOf("```one line``` @a\n@b\n````\n```\n@never")).toEqual(["a", "b"]);
});

test("ruleImports takes time in line with the size of the text", () => {
  const took = (text: string): number => {
    const start = performance.now();
    ruleImports(text);
    return performance.now() - start;
  };
  for (const piece of ["@a ", "` ", "`` ` ", "@", "```\n", "@...... "]) {
    took(piece.repeat(20_000));
    expect(took(piece.repeat(200_000))).toBeLessThan(3_000);
  }
});
