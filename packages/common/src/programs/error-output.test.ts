import type { Log } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { ErrorOutput } from "./error-output.ts";

async function printed(
  chunks: readonly string[],
): Promise<{ readonly logged: readonly string[]; readonly reason: string }> {
  const logged: string[] = [];
  const note = (message: string): void => void logged.push(message);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const stream = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })();
  const output = new ErrorOutput(stream, {
    who: 'The MCP server "x"',
    log,
    redact: (text) => text.replaceAll("key", "[secret]"),
  });
  await output.ended;
  return { logged, reason: output.reason };
}

test("ErrorOutput logs the first hundred lines, cut and redacted, and keeps the reason", async () => {
  const { logged, reason } = await printed([`key ${"x".repeat(600)}\n`, "line\n".repeat(150), "the end"]);

  expect(logged).toHaveLength(101);
  expect(logged[0]).toBe(`The MCP server "x" prints: ${`[secret] ${"x".repeat(600)}`.slice(0, 500)}`);
  expect(logged.at(-1)).toBe('The MCP server "x" prints more than 100 lines; the rest is dropped');
  expect(reason).toBe("the end");
});

test("[attack:bounds-mcp-error-output] ErrorOutput stops reading at a line of more than a mebibyte", async () => {
  const mebibyte = "y".repeat(1_048_576);

  const hostile = await printed(["first\n", mebibyte, "z", "\nnever read\n"]);
  const control = await printed(["first\n", mebibyte, "\nread\n"]);

  expect(hostile).toEqual({
    logged: [
      'The MCP server "x" prints: first',
      'The MCP server "x" printed a line of more than 1048576 bytes; no more is read',
    ],
    reason: "first",
  });
  expect(control.reason).toBe("read");
});
