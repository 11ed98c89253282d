import { expect, test } from "bun:test";
import { CommandOutput } from "./run-own-command.ts";

function outputOf(...chunks: readonly string[]): CommandOutput {
  const output = new CommandOutput();
  for (const chunk of chunks) output.add(chunk);
  return output;
}

test("CommandOutput.text() removes escape sequences, control characters and overwritten text", async () => {
  const output = outputOf("\u001B[31mred\u001B[0m\r\n 10 %\r100 %\r\n", "\u001B]0;title\u0007a\tb\u0000\u0008\r\n");

  expect(await output.text({})).toBe("red\n100 %\na\tb");
});

test("CommandOutput.text() redacts known key formats and secret-looking variables", async () => {
  const secret = "hJ4kQ9zLmN2pR7tVwX8y";
  const output = outputOf(`DB_PASSWORD=${secret}\nghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}\nHOME=/home/ada\n`);

  const text = await output.text({ DB_PASSWORD: secret, HOME: "/home/ada" });

  expect(text).not.toContain(secret);
  expect(text).not.toContain("ghp_a1");
  expect(text).toContain("HOME=/home/ada");
});

test("CommandOutput.text() keeps the beginning and the end of a long output", async () => {
  const output = outputOf("first\n", ...Array.from({ length: 200 }, () => "x".repeat(1_000)), "\nlast");

  const text = (await output.text({})) ?? "";

  expect(text.length).toBeLessThan(70_000);
  expect(text).toMatch(/^first\n[^]*\[[\d,]+ characters left out\][^]*\nlast$/);
});

test("CommandOutput.text() returns undefined for a program on the alternate screen", async () => {
  expect(await outputOf("\u001B[?1049h~\r\n~\u001B[?1049l").text({})).toBeUndefined();
});
