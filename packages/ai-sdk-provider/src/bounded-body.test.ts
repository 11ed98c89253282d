import { expect, test } from "bun:test";
import { boundedBody } from "./bounded-body.ts";

test("[attack:vendor-line-ends] boundedBody gives all lines one kind of end, wherever the body is cut", async () => {
  const lines = "\n".repeat(100_000);
  const sent = [`${lines}\r`, "data: a\r", "\ndata: b\r\r", `\n${lines}`, "\r"];
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controller) {
        for (const piece of sent) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
  const fail = (): never => {
    throw new Error("It is whole");
  };

  const bounded = boundedBody(body(), { isEventStream: true, onTooLarge: fail, onBroken: fail });

  expect(await new Response(bounded).text()).toBe(sent.join("").replaceAll(/\r\n?/g, "\n"));
  // A reader that looks for the next CR at each line would find one behind all of them.
  expect(await new Response(body()).text()).toContain("\n\r");
});
