import { expect, test } from "bun:test";
import fc from "fast-check";
import { expandText } from "./expand-text.ts";

function expanded(body: string, given: string): string | undefined {
  const result = expandText(body, given);
  return result.kind === "expanded" ? result.text : undefined;
}

test("expandText puts in all arguments, or one word of them, of which some are in quotes", () => {
  expect(expanded("All: $ARGUMENTS. Again: $ARGUMENTS", "  a  b ")).toBe("All: a  b. Again: a  b");
  expect(expanded("$2-$1-$3-$9", `one "two words" 'and "three'`)).toBe('two words-one-and "three-');
  expect(expanded("$1|$2", `it's "open`)).toBe(`it's|"open`);
  expect(expanded("$10 $0 $ARGUMENTSX $arguments $", "a")).toBe("$10 $0 $ARGUMENTSX $arguments $\n\na");
  expect(expanded(String.raw`\$1 costs \$ARGUMENTS, \$ and $1`, "a")).toBe(
    String.raw`$1 costs $ARGUMENTS, \$ and a`,
  );
});

test("expandText loses no arguments where the text names none, and adds nothing where there are none", () => {
  expect(expanded("Review this.", "the last commit")).toBe("Review this.\n\nthe last commit");
  expect(expanded("Review this.", "  ")).toBe("Review this.");
});

test("[attack:command-arguments] expandText puts arguments in once: what they hold is not looked at again", () => {
  expect(expanded("$1 $2 $ARGUMENTS", "$2 $ARGUMENTS")).toBe("$2 $ARGUMENTS $2 $ARGUMENTS");
  const word = fc.stringMatching(/^[$A-Z0-9\\]{1,12}$/);
  const property = fc.property(fc.array(word, { minLength: 1, maxLength: 9 }), (words) => {
    expect(expanded("<$1> <$ARGUMENTS>", words.join(" "))).toBe(`<${words[0]}> <${words.join(" ")}>`);
  });
  fc.assert(property);
});

test("expandText refuses what nothing is left of, and what becomes too much, before it is made", () => {
  expect(expandText("$1", "")).toMatchObject({
    kind: "refused",
    reason: "with these arguments nothing is left of it",
  });
  const body = "$ARGUMENTS".repeat(20_000);
  const before = process.memoryUsage().rss;
  expect(expandText(body, "x".repeat(1_000_000))).toMatchObject({
    kind: "refused",
    reason: "with its arguments it would have more than 1048576 characters",
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  expect(expanded(body, "x".repeat(50))).toHaveLength(1_000_000); // The control.
});
