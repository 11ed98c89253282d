import { WireCall } from "../requests/wire-call.ts";
import { expect, test } from "bun:test";
import { packageFetch } from "./package-fetch.ts";

const mebibyte = "x".repeat(1_048_576);

function call(answer: Response): WireCall {
  const net = {
    webSocket: () => Promise.reject(new Error("Nobody opens a socket here")),
    fetch: async () => answer,
  };
  return new WireCall({ key: undefined, keyHeader: { name: "authorization" }, net, observe: () => {} });
}

test.each([
  ["a stream of small events", 200, "text/event-stream; charset=utf-8", "answered"],
  ["a refusal, of which the packages keep all", 500, "text/event-stream", "too-large"],
  ["a reply without events, of which they keep all", 200, "application/json", "too-large"],
  ["a reply that does not say what it is", 200, undefined, "too-large"],
] as const)("packageFetch limits buffered data: %s", async (_name, status, contentType, kind) => {
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let count = 0; count < 17; count += 1) controller.enqueue(new TextEncoder().encode(`: ${mebibyte}\n\n`));
      controller.close();
    },
  });
  const headers = contentType === undefined ? {} : { "content-type": contentType };
  const wire = call(new Response(pieces, { status, headers }));

  const fetch = packageFetch({ wire, vendor: {}, write: (body) => body });

  const response = await fetch("https://api.acme.dev/v1", { method: "POST", body: "{}" });
  await response.arrayBuffer().catch(() => undefined);

  expect(wire.outcome.kind).toBe(kind);
});
