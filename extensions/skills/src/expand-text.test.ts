import { expect, test } from "bun:test";
import fc from "fast-check";
import { expandText } from "./expand-text.ts";

function expanded(body: string, given: string): string | undefined {
  const result = expandText(body, given);
  return result.kind === "expanded" ? result.text : undefined;
}

test("expandText inserts all arguments or single words, including quoted ones", () => {
  expect(expanded("All: $ARGUMENTS. Again: $ARGUMENTS", "  a  b ")).toBe("All: a  b. Again: a  b");
  expect(expanded("$2-$1-$3-$9", `one "two words" 'and "three'`)).toBe('two words-one-and "three-');
  expect(expanded("$1|$2", `it's "open`)).toBe(`it's|"open`);
  expect(expanded("$10 $0 $ARGUMENTSX $arguments $", "a")).toBe("$10 $0 $ARGUMENTSX $arguments $\n\na");
  expect(expanded(String.raw`\$1 costs \$ARGUMENTS, \$ and $1`, "a")).toBe(
    String.raw`$1 costs $ARGUMENTS, \$ and a`,
  );
});

test("expandText appends arguments without a placeholder, and nothing when there are none", () => {
  expect(expanded("Review this.", "the last commit")).toBe("Review this.\n\nthe last commit");
  expect(expanded("Review this.", "  ")).toBe("Review this.");
});

test("[attack:command-arguments] expandText inserts arguments once without expanding their content", () => {
  expect(expanded("$1 $2 $ARGUMENTS", "$2 $ARGUMENTS")).toBe("$2 $ARGUMENTS $2 $ARGUMENTS");
  const word = fc.stringMatching(/^[$A-Z0-9\\]{1,12}$/);
  const property = fc.property(fc.array(word, { minLength: 1, maxLength: 9 }), (words) => {
    expect(expanded("<$1> <$ARGUMENTS>", words.join(" "))).toBe(`<${words[0]}> <${words.join(" ")}>`);
  });
  fc.assert(property);
});

test("expandText rejects empty results, and too large ones before building them", () => {
  expect(expandText("$1", "")).toMatchObject({
    kind: "refused",
    reason: "with these arguments its text is empty",
  });
  const body = "$ARGUMENTS".repeat(20_000);
  const before = process.memoryUsage().rss;
  expect(expandText(body, "x".repeat(1_000_000))).toMatchObject({
    kind: "refused",
    reason: "with its arguments it would have more than 1048576 characters",
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  expect(expanded(body, "x".repeat(50))).toHaveLength(1_000_000);
});
