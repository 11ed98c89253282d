import { expect, test } from "bun:test";
import { messagePartSchema } from "./message-part.ts";

test("messagePartSchema accepts each kind of part", () => {
  const parts = [
    { type: "text", text: "a" },
    { type: "reasoning", text: "a" },
    { type: "file", mediaType: "image/png", data: "AAAA" },
    { type: "tool-call", toolCallId: "1", name: "a", input: "{}" },
    { type: "tool-result", toolCallId: "1", name: "a", output: "b", isError: false },
  ];

  for (const part of parts) expect(messagePartSchema.parse(part)).toMatchObject(part);
});
