import type { Arrival } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { boundedResponse } from "./bounded-response.ts";

function responseOf(chunks: readonly string[], type: string, status = 202): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
      controller.close();
    },
  });
  return new Response(body, { status, headers: { "content-type": type } });
}

async function arrivals(chunks: readonly string[], type: string): Promise<readonly Arrival[]> {
  const seen: Arrival[] = [];
  const bounded = boundedResponse(responseOf(chunks, type), (arrival) => void seen.push(arrival));
  expect(await bounded.text()).toBe(chunks.join("").replaceAll("\r\n", "\n"));
  expect(bounded.status).toBe(202);
  return seen;
}

test("boundedResponse measures a whole body, and each event of a stream", async () => {
  expect(await arrivals(["[1,2,", "3]"], "application/json")).toEqual([
    { sizeBytes: 5, values: 4, messages: 0 },
    { sizeBytes: 7, values: 4, messages: 0 },
  ]);
  expect(await arrivals(["data: 1\n\ndata: 2\r\n", "\r\nid: 3\n", "\n"], "text/event-stream")).toEqual([
    { sizeBytes: 9, values: 1, messages: 1 },
    { sizeBytes: 9, values: 1, messages: 1 },
    { sizeBytes: 7, values: 1, messages: 1 },
  ]);
});

test("[attack:bounds-mcp-body] boundedResponse aborts on an error and reads no further", async () => {
  const judge = ({ sizeBytes }: Arrival): Error | undefined => (sizeBytes > 8 ? new Error("too much") : undefined);
  const read = (chunks: readonly string[]): Promise<unknown> =>
    boundedResponse(responseOf(chunks, "application/json"), judge)
      .text()
      .catch((error: unknown) => error);

  expect(await read(["12345", "6789"])).toMatchObject({ message: "too much" });
  expect(await read(["12345", "678"])).toBe("12345678");
});

test("[attack:mcp-refusal-without-end] boundedResponse measures an error response as a whole, even an event stream", async () => {
  const judge = ({ sizeBytes }: Arrival): Error | undefined => (sizeBytes > 8 ? new Error("too much") : undefined);
  const read = (status: number): Promise<unknown> =>
    boundedResponse(responseOf(["data:\n\n", "data:\n\n"], "text/event-stream", status), judge)
      .text()
      .catch((error: unknown) => error);

  expect(await read(500)).toMatchObject({ message: "too much" });
  expect(await read(200)).toBe("data:\n\ndata:\n\n");
});

test("[attack:mcp-line-ends] boundedResponse removes CRs that an event parser would search for", async () => {
  const chunks = ["\n".repeat(10_000), "\r", "\r\ndata: 1\r\r"];
  const bounded = boundedResponse(responseOf(chunks, "text/event-stream"), () => undefined);

  expect(await bounded.text()).toBe(`${"\n".repeat(10_002)}data: 1\n\n`);
  expect(await responseOf(chunks, "text/event-stream").text()).toContain("\r");
});

test("boundedResponse returns a response without body unchanged", () => {
  const empty = new Response(null, { status: 204 });

  expect(boundedResponse(empty, () => new Error("never"))).toBe(empty);
});

test("boundedResponse yields to other work between chunks of a busy stream", async () => {
  const order: string[] = [];
  const bounded = boundedResponse(responseOf(["1", "2", "3"], "application/json"), () => {
    order.push("chunk");
    setImmediate(() => order.push("others"));
    return undefined;
  });

  await bounded.text();

  expect(order.slice(0, 5)).toEqual(["chunk", "others", "chunk", "others", "chunk"]);
});
