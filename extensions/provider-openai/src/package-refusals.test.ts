import { KernelError } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { modelRequest } from "@incipit/testkit";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { BothProviders, chatKinds } from "./testing/both-providers.ts";

const key = "sk-test-0123456789";

const message = fc.constantFrom(
  "It is wrong",
  `the key ${key} is not known`,
  "This model's maximum context length is 10 tokens",
  "Request too large for m on tokens per min (TPM): Limit 1, Requested 2",
  "Your credit balance is too low",
);
const body = fc.oneof(
  fc
    .record(
      {
        message: fc.oneof(message, fc.constant(7)),
        type: fc.constantFrom("invalid_request_error", "insufficient_quota", null, 7),
        code: fc.constantFrom("context_length_exceeded", "rate_limit_exceeded", 429, null, {}),
        param: fc.constantFrom(null, { deep: [] }),
        details: fc.constant([{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "3.5s" }]),
      },
      { requiredKeys: [] },
    )
    .map((error) => JSON.stringify({ error })),
  message.map((error) => JSON.stringify({ error })),
  message.map((said) => JSON.stringify({ detail: said })),
  message.map((said) => JSON.stringify([{ error: { message: said } }])),
  message,
  fc.constantFrom(
    "",
    "  ",
    "<html>no</html>",
    "\ufeff{}",
    '{"error":{"message":"x","__proto__":{}}}',
    `{"a":"${"x".repeat(3_000)}"}`,
  ),
);
const headers = fc.record(
  {
    "retry-after": fc.constantFrom("2", "-1", "Sun, 22 Nov 2026 12:00:10 GMT", "soon"),
    "retry-after-ms": fc.constantFrom("1500", "x"),
    date: fc.constant("Sun, 22 Nov 2026 12:00:00 GMT"),
    "content-type": fc.constantFrom("application/json", "text/html", "text/event-stream"),
    location: fc.constant("https://acme.dev/"),
  },
  { requiredKeys: [] },
);
const status = fc.constantFrom(300, 302, 400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529);

test("provider-openai reports every refusal like the AI SDK's packages, without the key", async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...chatKinds),
    fc.record({ status, headers, body, statusText: fc.constantFrom("", "Bad Request"), isBroken: fc.boolean() }),
    async (kind, said) => {
      const both = new BothProviders({ kind });
      both.answer = () => {
        const broken = new ReadableStream({
          start: (controller) => controller.error(new TypeError("The socket was closed")),
        });
        return new Response(said.isBroken ? broken : said.body, said);
      };
      const given = await both.ask(modelRequest());
      expect(given.own).toEqual([...given.package]);
      expect(JSON.stringify(given.own)).not.toContain(key);
    },
  );
  await fc.assert(property, { numRuns: 300 });
});

test("provider-openai reports a response without a body like the AI SDK's packages", async () => {
  for (const kind of chatKinds)
    for (const status of [200, 204, 404]) {
      const both = new BothProviders({ kind });
      both.answer = () => new Response(null, { status });
      const given = await both.ask(modelRequest());
      expect(given.own).toEqual([...given.package]);
    }
});

const refused = Object.assign(new Error("Unable to connect"), { code: "ConnectionRefused" });
const thrown = [
  new TypeError("fetch failed", { cause: refused }),
  refused,
  Object.assign(new Error("late"), { name: "TimeoutError" }),
  new KernelError("CAPABILITY_DENIED", "Cannot fetch", { extension: "a" }),
  new ServiceError("INTERNAL", "The disk is full"),
];

test("provider-openai reports a missing response or record like the AI SDK's packages", async () => {
  for (const kind of chatKinds)
    for (const error of thrown) {
      const both = new BothProviders({ kind });
      const recorded = await both.ask(modelRequest({ observe: () => Promise.reject(error) }));
      both.answer = () => Promise.reject(error);
      const given = await both.ask(modelRequest());

      expect(recorded.own).toEqual([...recorded.package]);
      expect(given.own).toEqual([...given.package]);
    }
});

test("provider-openai aborts like the AI SDK's packages, before a request and during a reply", async () => {
  for (const kind of chatKinds) {
    const both = new BothProviders({ kind });
    const before = await both.ask(modelRequest({ signal: AbortSignal.abort() }));
    const given = [];
    for (const whose of ["package", "own"] as const) {
      const stop = new AbortController();
      both.answer = () => new Response(untilStopped(stop), { headers: { "content-type": "text/event-stream" } });
      given.push(await both.askOne(whose, modelRequest({ signal: stop.signal })));
    }

    expect(before.own).toEqual([...before.package]);
    expect(given[1]).toEqual(given[0]);
  }
});

function untilStopped(stop: AbortController): ReadableStream<Uint8Array> {
  const chunk = { id: "c", choices: [{ index: 0, delta: { content: "a" } }] };
  let isSent = false;
  return new ReadableStream({
    async pull(controller) {
      if (!isSent) controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
      else {
        for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        stop.abort();
        controller.error(stop.signal.reason);
      }
      isSent = true;
    },
  });
}
