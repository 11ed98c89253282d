import { expect, test } from "bun:test";
import { whileAllowed } from "./while-allowed.ts";

test("whileAllowed does not start work for a caller without access", async () => {
  let begun = 0;
  const work = async (): Promise<Response> => new Response(String((begun += 1)));
  const late = new AbortController();

  const refused = await whileAllowed(work, { over: AbortSignal.abort(), late });
  const answered = await whileAllowed(work, { over: new AbortController().signal, late });

  expect(refused.status).toBe(401);
  expect(await answered.text()).toBe("1");
  expect(late.signal.aborted).toBe(false);
});

test("whileAllowed rejects immediately, aborts the work, and cancels an unused stream", async () => {
  const over = new AbortController();
  const late = new AbortController();
  const answer = Promise.withResolvers<Response>();
  const cancelled = Promise.withResolvers<string>();
  const asked = whileAllowed(() => answer.promise, { over: over.signal, late });

  over.abort();
  const refused = await asked;
  answer.resolve(new Response(new ReadableStream({ cancel: () => cancelled.resolve("cancelled") })));

  expect(refused.status).toBe(401);
  expect(late.signal.aborted).toBe(true);
  expect(await cancelled.promise).toBe("cancelled");
});
