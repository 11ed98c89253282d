import { maxJsonValues } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { boundedBody } from "./body-bounds.ts";

test("[attack:vendor-line-ends] boundedBody normalizes line ends for any chunk size", async () => {
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
  expect(await new Response(body()).text()).toContain("\n\r");
});

test("boundedBody accepts exactly the limits of values and bytes", async () => {
  const isTaken = async (text: string): Promise<boolean> => {
    let isTooLarge = false;
    const body = new Blob([text]).stream();
    const bounded = boundedBody(body, {
      isEventStream: false,
      onTooLarge: () => (isTooLarge = true),
      onBroken: () => {},
    });
    await new Response(bounded).arrayBuffer().catch(() => undefined);
    return !isTooLarge;
  };
  const list = (values: number): string => `[${"1,".repeat(values - 2)}1]`;
  const text = (bytes: number): string => "x".repeat(bytes);

  expect(await isTaken(list(maxJsonValues))).toBe(true);
  expect(await isTaken(list(maxJsonValues + 1))).toBe(false);
  expect(await isTaken(text(16 * 1_048_576))).toBe(true);
  expect(await isTaken(text(16 * 1_048_576 + 1))).toBe(false);
});
