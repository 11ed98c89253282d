import { exportContentType } from "@incipit/transport-contract";

/** https://jsonlines.org. A failure before the first line is an error response; a later one aborts the connection. */
export async function linesAnswer(
  items: AsyncIterable<unknown>,
  {
    name,
    cut,
    onFailure,
  }: {
    readonly name: string;
    readonly cut?: AbortSignal | undefined;
    readonly onFailure: (error: unknown) => void;
  },
): Promise<Response> {
  const encoder = new TextEncoder();
  const iterator = items[Symbol.asyncIterator]();
  let next = await iterator.next();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (next.done === true) {
          controller.close();
          return;
        }
        if (cut?.aborted === true) {
          await iterator.return?.();
          throw new Error("The client's token is no longer valid");
        }
        const line = encoder.encode(`${JSON.stringify(next.value)}\n`);
        next = await iterator.next();
        controller.enqueue(line);
      } catch (error) {
        onFailure(error);
        controller.error(error);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(stream, {
    headers: {
      "content-type": exportContentType,
      "content-disposition": `attachment; filename="${name}.jsonl"`,
      "cache-control": "no-store",
    },
  });
}
