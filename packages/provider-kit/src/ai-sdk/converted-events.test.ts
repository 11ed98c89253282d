import { expect, test } from "bun:test";
import fc from "fast-check";
import { convertEvents } from "./converted-events.ts";
import type { ReplyConverter } from "./vendor.ts";

const plain: ReplyConverter = {
  take: (event, data) => (event === "drop" ? [] : data.includes("é") ? [{ x: "漢🎉" }] : [event]),
  end: (isDone) => (isDone ? ["done"] : []),
  error: (message) => ({ error: message }),
  progress: "open",
};

async function amended(chunks: readonly Uint8Array[]): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  return new Response(convertEvents(body, plain)).text();
}

test("convertEvents converts event data for any chunk size, and keeps other lines", async () => {
  const text =
    ': hello\r\nevent: a\r\ndata: {"x":"é"}\r\n\r\ndata:"drop"\n\nid: 7\ndata: {"y": \ndata: 1}\n\ndata: "é"';
  const bytes = new TextEncoder().encode(text);
  const amendedText = [
    ': hello\r\nevent: a\r\ndata: {"x":"漢🎉"}\n\n',
    'id: 7\ndata: {"y": \ndata: 1}\n\n',
    'data: {"x":"漢🎉"}\n\n',
  ];
  const property = fc.asyncProperty(fc.array(fc.nat({ max: bytes.length })), async (cuts) => {
    const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
    const chunks = places.slice(1).map((place, index) => bytes.slice(places[index], place));
    expect((await amended(chunks)).replaceAll(/\n{3,}/g, "\n\n")).toBe(amendedText.join(""));
  });
  await fc.assert(property);
});

test.each([
  ["an event that is cut off", 'data: 1\n\ndata: {"x', "data: 1\n\n\n"],
  ["an event that is no JSON", "data: {x}\n\n", "data: {x}\n\n"],
  ["words, behind all events", "data: 1\n\ndata: ping\n\n", "data: 1\n\n\n\n"],
  ["words in place of events", "model\nnot loaded", 'data: {"error":"model not loaded"}\n\n'],
  [
    "words cut inside a character",
    new TextEncoder().encode("data: a🎉").slice(0, -1),
    'data: {"error":"a\ufffd"}\n\n',
  ],
  ["JSON in place of events", '[\n {"x": 1},\n 2]', 'data: {"x":1}\n\ndata: 2\n\n'],
  ["a page in place of events", "<html>\n<p>hello</p>", ""],
  ["the end of chat completions", "data: [DONE]\n\n", '\ndata: "done"\n\n'],
] as const)("amendedEvents reads %s", async (_name, sent, given) => {
  expect(await amended([typeof sent === "string" ? new TextEncoder().encode(sent) : sent])).toBe(given);
});
