import { expect, test } from "bun:test";
import { parseContextWindow } from "./context-windows.ts";

test("parseContextWindow parses the window from vendors' errors and ignores other numbers", () => {
  for (const [message, tokens] of [
    [
      "This model's maximum context length is 32768 tokens. However, your messages resulted in 33000 tokens",
      32_768,
    ],
    ["the request exceeds the available context size (4096 tokens)", 4_096],
    ["request (33000 tokens) exceeds the available context size (32,768 tokens), try increasing it", 32_768],
    ['{"error":{"n_prompt_tokens":33000,"n_ctx":32768}}', 32_768],
    ["prompt is too long: 216104 tokens > 200000 maximum", 200_000],
    ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
    ["This model's maximum prompt length is 131072 but the request contains 140000 tokens.", 131_072],
    ["prompt token count of 140000 exceeds the limit of 128000", 128_000],
    ["Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)", 8_192],
    ["Range of input length should be [1, 30720]", 30_720],
    ["context length of only 4096 tokens, which is not enough", 4_096],
    ["too large for model with 16384 maximum context length", 16_384],
    ["context window exceeds limit (2013)", undefined],
    ["Input is too long for requested model.", undefined],
    ["maximum context length is 0 tokens", undefined],
  ] as const)
    expect([message, parseContextWindow(message)]).toEqual([message, tokens]);
});
