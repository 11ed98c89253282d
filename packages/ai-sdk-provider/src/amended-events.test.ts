import { expect, test } from "bun:test";
import fc from "fast-check";
import { amendedEvents } from "./amended-events.ts";

async function amended(chunks: readonly Uint8Array[]): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const amend = (data: string): string | undefined => (data === "drop" ? undefined : data.replace("é", "漢🎉"));
  return new Response(body.pipeThrough(amendedEvents(amend))).text();
}

test("amendedEvents amends the data of each event, however the bytes come, and leaves all other lines", async () => {
  const text = ': hello\r\nevent: a\r\ndata: {"x":"é"}\r\n\r\ndata:drop\n\nid: 7\ndata: é';
  const bytes = new TextEncoder().encode(text);
  const property = fc.asyncProperty(fc.array(fc.nat({ max: bytes.length })), async (cuts) => {
    const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
    const chunks = places.slice(1).map((place, index) => bytes.slice(places[index], place));
    expect(await amended(chunks)).toBe(': hello\r\nevent: a\r\ndata: {"x":"漢🎉"}\n\r\n\nid: 7\ndata: 漢🎉\n');
  });
  await fc.assert(property);
});

test("amendedEvents gives what is cut off inside a character as any reader of it would", async () => {
  const cut = new TextEncoder().encode("data: a🎉").slice(0, -1);

  expect(await amended([cut])).toBe(`${new TextDecoder().decode(cut)}\n`);
});
