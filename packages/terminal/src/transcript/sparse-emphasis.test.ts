import { expect, test } from "bun:test";
import { withSparseEmphasis } from "./sparse-emphasis.ts";

function unescaped(text: string): number {
  return text.match(/(?<!\\)(?:\*\*)/g)?.length ?? 0;
}

test("withSparseEmphasis leaves 400 marks in a paragraph, and makes text of those behind them", () => {
  const dense = "**a ".repeat(10_000);

  const sparse = withSparseEmphasis(`${dense}\n\n${dense}`);

  expect(unescaped(sparse)).toBe(800);
  expect(sparse.replaceAll("\\", "")).toBe(`${dense}\n\n${dense}`);
});

test("withSparseEmphasis changes nothing in what people write, nor in code", () => {
  const list = Array.from({ length: 500 }, (_, index) => `- **word ${index}** and _more_`).join("\n");
  const table = Array.from({ length: 500 }, (_, index) => `| **${index}** | ~~gone~~ |`).join("\n");
  const code = `\`\`\`c\n${"int **p; ".repeat(500)}\n${"~~~~\n".repeat(3)}\`\`\`\n\n~~~\n${"**a ".repeat(500)}\n~~~`;

  for (const text of [list, table, code, `${"\\*".repeat(1_000)} **a**`])
    expect(withSparseEmphasis(text)).toBe(text);
});

test("withSparseEmphasis counts anew behind a fence that has ended, and not in one that is open", () => {
  const dense = "**a ".repeat(500);

  expect(unescaped(withSparseEmphasis(`\`\`\`\n${dense}\n\`\`\`\n${dense}`))).toBe(900);
  expect(withSparseEmphasis(`\`\`\`\`\n${dense}\n\`\`\`\n${dense}`)).toBe(`\`\`\`\`\n${dense}\n\`\`\`\n${dense}`);
});
