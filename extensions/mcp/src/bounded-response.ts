import { LineFeeds, messageMeter, type Arrival } from "@incipit/kernel";
import { yieldToEventLoop } from "@incipit/common/programs";

export function boundedResponse(response: Response, judge: (arrival: Arrival) => Error | undefined): Response {
  if (response.body === null) return response;
  // The library reads error responses as a whole.
  const isStream = response.ok && response.headers.get("content-type")?.includes("text/event-stream") === true;
  const measure = messageMeter({ isEventStream: isStream });
  const lines = new LineFeeds();
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    async transform(received, controller) {
      const chunk = lines.take(received);
      const error = judge(measure(chunk));
      if (error !== undefined) {
        controller.error(error);
        return;
      }
      controller.enqueue(chunk);
      await yieldToEventLoop();
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
}
