import { LineFeeds, messageMeter, type Arrival } from "@incipit/kernel";
import { breath } from "@incipit/program-kit";

/** The response with a body that fails as soon as `judge` gives an error for what came. */
export function boundedResponse(response: Response, judge: (arrival: Arrival) => Error | undefined): Response {
  if (response.body === null) return response;
  // Of a refusal the library reads all, whatever it is.
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
      await breath();
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
}
