import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { gatewayPrompts } from "./gateway-prompts.ts";

/** A change of a text changes the prompt of every new conversation, so it must be deliberate. */
test("gatewayPrompts match their recorded hashes", () => {
  const bytes = Object.fromEntries(
    Object.entries(gatewayPrompts).map(([feature, text]) => [
      feature,
      `${Buffer.byteLength(text)} ${createHash("sha256").update(text).digest("hex")}`,
    ]),
  );
  expect(bytes).toMatchInlineSnapshot(`
    {
      "cron": "378 9ffb94e0f1f9fca97e015fdf7b1880ba51bef2e6ac6fd3c22d96801c0fffb9af",
      "heartbeat": "654 bba4ab0afe1e0c844c6e0e2eb4bfdb21c0085aed054c03e88ef06cbf89aaabd7",
      "media": "393 a6c3e2c391d105f4866612e2eaa8d7ab2e3333ab58c08055ead50326df1aac4a",
    }
  `);
});
