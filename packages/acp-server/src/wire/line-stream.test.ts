import type { AnyMessage } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { LineReader } from "./line-reader.ts";
import { lineStream } from "./line-stream.ts";

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function exchange(
  chunks: readonly Uint8Array[],
): Promise<{ readonly messages: readonly AnyMessage[]; readonly written: readonly unknown[] }> {
  const written: unknown[] = [];
  const { readable } = lineStream({
    input: new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
    write: async (bytes) => void written.push(JSON.parse(new TextDecoder().decode(bytes))),
    signal: new AbortController().signal,
    log: () => undefined,
  });
  return { messages: await Array.fromAsync(readable), written };
}

test("LineReader returns whole lines for any chunking", () => {
  const property = fc.property(fc.array(fc.string()), fc.array(fc.nat({ max: 20 })), (texts, cuts) => {
    const lines = texts.map((text) => text.replaceAll("\n", " "));
    const bytes = bytesOf(lines.map((line) => `${line}\n`).join(""));
    const reader = new LineReader({ maxBytes: 1_000_000 });
    const read: string[] = [];
    let at = 0;
    for (const cut of [...cuts, bytes.length])
      for (const line of reader.take(bytes.subarray(at, (at += cut))))
        read.push(line.kind === "line" ? line.text : "?");
    expect(read).toEqual(lines.map((line) => new TextDecoder().decode(bytesOf(line))));
  });
  fc.assert(property);
});

test("lineStream answers an invalid message with an error without an id and continues", async () => {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" } as const;
  const { messages, written } = await exchange([
    bytesOf('{"jsonrpc":"2.0","id":1,"met\n'),
    bytesOf("[]\n7\n\n"),
    bytesOf(`${JSON.stringify(ping)}\n{"half`),
  ]);

  expect(messages).toEqual([ping]);
  expect(written).toMatchObject([
    { id: null, error: { code: -32700 } },
    { id: null, error: { code: -32600 } },
    { id: null, error: { code: -32600 } },
    { id: null, error: { code: -32700 } },
  ]);
});

test("lineStream rejects a line of 50 MB without buffering it and continues", async () => {
  const chunk = new Uint8Array(1_048_576).fill(0x61);
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" } as const;
  const { messages, written } = await exchange([
    ...Array.from({ length: 50 }, () => chunk),
    bytesOf(`\n${JSON.stringify(ping)}\n`),
  ]);

  expect(messages).toEqual([ping]);
  expect(written).toMatchObject([
    { id: null, error: { code: -32600, message: expect.stringContaining("33554432 bytes") } },
  ]);
});
