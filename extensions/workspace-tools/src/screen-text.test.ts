import { expect, test } from "bun:test";
import { screenText } from "./screen-text.ts";

test.each([
  ["plain\ttext\n", "plain\ttext\n"],
  ["one\r\ntwo\r\n", "one\ntwo\n"],
  ["10%\r20%\r100%\ndone", "100%\ndone"],
  ["abcdef\rxy\n", "xycdef\n"],
  ["abcdef\r\u001b[Kxy\n", "xy\n"],
  ["\u001b[31mred\u001b[0m \u001b]0;title\u0007text", "red text"],
  ["\u001b]8;;https://a.example\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["a\nb\n\u001b[2A\u001b[2Kc\n\u001b[2Kd\n", "c\nd\n"],
  ["a\nb\n\u001b[1A\u001b[Jc", "a\nc"],
  ["ab\b\bcd", "cd"],
  ["\u001b(B\u001b[?25lx\u001b[?25h", "x"],
  ["half \u001b[3", "half "],
])("screenText of %j is %j", (output, expected) => {
  expect(screenText(output)).toBe(expected);
});

test("screenText keeps only the last of 3,000 coloured frames", () => {
  const frames = Array.from({ length: 3_000 }, (_, index) => `\r\u001b[32m${index + 1}/3000\u001b[0m`).join("");

  expect(screenText(`begin\n${frames}\nend\n`)).toBe("begin\n3000/3000\nend\n");
});

test("screenText takes linear time for any redrawing", () => {
  const hostile = [
    `${"x".repeat(4_000_000)}${"\ry".repeat(200_000)}`,
    "\u001b[9999999Cx\r".repeat(200_000),
    "\u001b[1A\u001b[2Kx\n".repeat(200_000),
    "\u001b]".repeat(1_000_000),
    "\u001b[".repeat(1_000_000),
    "\n".repeat(1_000_000) + "\r",
  ];
  const startMs = performance.now();

  for (const output of hostile) expect(screenText(output).length).toBeLessThanOrEqual(output.length + 1_100_000);

  expect(performance.now() - startMs).toBeLessThan(20_000);
});
