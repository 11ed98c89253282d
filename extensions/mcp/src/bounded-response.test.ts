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

test("boundedResponse measures the whole of a body, and each event of a stream", async () => {
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

test("[attack:bounds-mcp-body] boundedResponse breaks off where it is told to, and reads no more", async () => {
  const judge = ({ sizeBytes }: Arrival): Error | undefined => (sizeBytes > 8 ? new Error("too much") : undefined);
  const read = (chunks: readonly string[]): Promise<unknown> =>
    boundedResponse(responseOf(chunks, "application/json"), judge)
      .text()
      .catch((error: unknown) => error);

  expect(await read(["12345", "6789"])).toMatchObject({ message: "too much" });
  expect(await read(["12345", "678"])).toBe("12345678");
});

test("[attack:mcp-refusal-without-end] boundedResponse counts a refusal as a whole, also where it is a stream of events", async () => {
  const judge = ({ sizeBytes }: Arrival): Error | undefined => (sizeBytes > 8 ? new Error("too much") : undefined);
  const read = (status: number): Promise<unknown> =>
    boundedResponse(responseOf(["data:\n\n", "data:\n\n"], "text/event-stream", status), judge)
      .text()
      .catch((error: unknown) => error);

  expect(await read(500)).toMatchObject({ message: "too much" });
  expect(await read(200)).toBe("data:\n\ndata:\n\n"); // What is read event by event goes on.
});

test("[attack:mcp-line-ends] boundedResponse leaves no CR for a reader of events to look for behind many lines", async () => {
  const chunks = ["\n".repeat(10_000), "\r", "\r\ndata: 1\r\r"];
  const bounded = boundedResponse(responseOf(chunks, "text/event-stream"), () => undefined);

  expect(await bounded.text()).toBe(`${"\n".repeat(10_002)}data: 1\n\n`);
  expect(await responseOf(chunks, "text/event-stream").text()).toContain("\r"); // The control: as it came.
});

test("boundedResponse gives one without a body as it is", () => {
  const empty = new Response(null, { status: 204 });

  expect(boundedResponse(empty, () => new Error("never"))).toBe(empty);
});

test("boundedResponse lets others have their turn between the chunks of one that comes without a pause", async () => {
  const order: string[] = [];
  const bounded = boundedResponse(responseOf(["1", "2", "3"], "application/json"), () => {
    order.push("chunk");
    setImmediate(() => order.push("others"));
    return undefined;
  });

  await bounded.text();

  expect(order.slice(0, 5)).toEqual(["chunk", "others", "chunk", "others", "chunk"]);
});
