import { FakeClock, type Net } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { OtlpEndpoint } from "./otlp-endpoint.ts";

type Fetch = (signal: AbortSignal | undefined) => Promise<Response>;

function createEndpoint(
  answers: readonly (Response | Error)[] | Fetch,
  timeoutMs = 10_000,
): { readonly endpoint: OtlpEndpoint; readonly clock: FakeClock; readonly asks: () => number } {
  const clock = new FakeClock(0);
  let asks = 0;
  const net: Net = {
    webSocket: () => Promise.reject(new Error("Nobody opens a socket here")),
    fetch: async (_url, { signal } = {}) => {
      asks += 1;
      if (typeof answers === "function") return answers(signal);
      const answer = answers[asks - 1] ?? new Error("Nobody expected that");
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const url = "http://x/v1/traces";
  return {
    endpoint: new OtlpEndpoint({ url, headers: () => ({}), net, clock, timeoutMs }),
    clock,
    asks: () => asks,
  };
}

/** Answers nothing. */
function silence(): { readonly fetch: Fetch; readonly stopped: () => number } {
  let stopped = 0;
  const fetch: Fetch = (signal) =>
    new Promise((_resolve, reject) =>
      signal?.addEventListener("abort", () => {
        stopped += 1;
        reject(new Error("aborted"));
      }),
    );
  return { fetch, stopped: () => stopped };
}

const body = new TextEncoder().encode("{}");

function settle(work: Promise<void>, clock: FakeClock): Promise<string> {
  const outcome = work.then(
    () => "sent",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return clock.advanceUntil(outcome);
}

test("an export retries transient failures and honours the requested delay", async () => {
  const { endpoint, clock, asks } = createEndpoint([
    new Error("refused"),
    new Response("", { status: 429, headers: { "retry-after": "3" } }),
    new Response("", { status: 503 }),
    new Response(""),
  ]);
  const startedAtMs = clock.now();

  expect(await settle(endpoint.send(body), clock)).toBe("sent");
  expect(asks()).toBe(4);
  expect(clock.now() - startedAtMs).toBeGreaterThanOrEqual(3_500);
});

test("[attack:collector-no-wait] an export enforces a minimal delay when the collector requests none", async () => {
  const refusals = (wait: string): readonly Response[] =>
    Array.from({ length: 1_000 }, () => new Response("", { status: 503, headers: { "retry-after": wait } }));
  for (const wait of ["0", "-1e9", "1e-9"]) {
    const { endpoint, clock, asks } = createEndpoint(refusals(wait));
    expect(await settle(endpoint.send(body), clock)).toBe("It answered 503");
    expect(asks()).toBeLessThan(10);
  }

  const { endpoint, clock, asks } = createEndpoint(refusals("9"));
  await settle(endpoint.send(body), clock);
  expect(asks()).toBe(2);
});

test("an export stops immediately on permanent failures, and at its deadline on transient ones", async () => {
  const refused = createEndpoint([new Response("", { status: 401 })]);
  expect(await settle(refused.endpoint.send(body), refused.clock)).toBe("It answered 401");
  expect(refused.asks()).toBe(1);

  const away = createEndpoint(Array.from({ length: 50 }, () => new Error("refused")));
  const startedAtMs = away.clock.now();
  expect(await settle(away.endpoint.send(body), away.clock)).toBe("Cannot reach it: refused");
  expect(away.clock.now() - startedAtMs).toBeLessThanOrEqual(11_000);
});

test("an export doubles the delay before each retry, up to five seconds", async () => {
  const askedAtMs: number[] = [];
  const { endpoint, clock } = createEndpoint(async () => {
    askedAtMs.push(clock.now());
    throw new Error("refused");
  }, 20_000);

  await settle(endpoint.send(body), clock);

  expect(askedAtMs).toEqual([0, 500, 1_500, 3_500, 7_500, 12_500, 17_500]);
});

test("an export without a response is aborted at its deadline", async () => {
  const { fetch, stopped } = silence();
  const { endpoint, clock } = createEndpoint(fetch);
  const failed = endpoint.send(body).catch((error: unknown) => String(error));

  await clock.advance(9_999);
  const early = stopped();
  await clock.advance(1);

  expect([early, stopped()]).toEqual([0, 1]);
  expect(await failed).toContain("Cannot reach it");
});

test("an export does not wait for a retry after its deadline", async () => {
  const { endpoint, clock } = createEndpoint([
    new Response("", { status: 503, headers: { "retry-after": "10" } }),
    new Response(""),
  ]);
  const failed = endpoint.send(body).catch((error: unknown) => String(error));
  await clock.advance(0);

  expect(await Promise.race([failed, Promise.resolve("it waits")])).toContain("It answered 503");
});

test("an export at shutdown has no more time than the host", async () => {
  const { endpoint, clock } = createEndpoint(Array.from({ length: 50 }, () => new Error("refused")));
  const sending = endpoint.send(body);
  endpoint.endWithin(1_000);
  const startedAtMs = clock.now();

  expect(await settle(sending, clock)).toBe("Cannot reach it: refused");
  expect(clock.now() - startedAtMs).toBeLessThanOrEqual(2_000);
});

test("an export without a response ends at the host's deadline, even when begun before", async () => {
  const { fetch, stopped } = silence();
  const { endpoint, clock } = createEndpoint(fetch);
  const failed = endpoint.send(body).catch((error: unknown) => String(error));

  endpoint.endWithin(1_000);
  await clock.advance(1_000);

  expect(stopped()).toBe(1);
  expect(await failed).toContain("Cannot reach it");
});

test("an export that has ended is not aborted by shutdown", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const { endpoint, clock } = createEndpoint(async (signal) => {
    signals.push(signal);
    return new Response("");
  });
  await endpoint.send(body);

  endpoint.endWithin(1_000);
  await clock.advance(1_000);

  expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
  expect(clock.pending).toBe(0);
});

test("an export waiting for a retry ends at the host's deadline", async () => {
  const answer = new Response("", { status: 503, headers: { "retry-after": "9" } });
  const { endpoint, clock } = createEndpoint([answer]);
  const failed = endpoint.send(body).catch((error: unknown) => String(error));
  await clock.advance(0);

  endpoint.endWithin(1_000);
  await clock.advance(1_000);

  expect(await Promise.race([failed, Promise.resolve("it waits")])).toContain("It answered 503");
  expect(clock.pending).toBe(0);
});

test("an export retries exactly the specified status codes, after half a second", async () => {
  const asked: unknown[] = [];
  for (const status of [408, 429, 500, 501, 502, 503, 504, 505]) {
    const { endpoint, clock, asks } = createEndpoint([new Response("", { status }), new Response("")]);
    const sent = endpoint.send(body).catch(() => {});
    await clock.advance(499);
    const early = asks();
    await clock.advance(1);
    await sent;
    asked.push([status, early, asks()]);
  }

  expect(asked).toEqual([
    [408, 1, 1],
    [429, 1, 2],
    [500, 1, 1],
    [501, 1, 1],
    [502, 1, 2],
    [503, 1, 2],
    [504, 1, 2],
    [505, 1, 1],
  ]);
});

test("an export does not read response bodies, which frees the connection", async () => {
  let isCancelled = false;
  const endless = new ReadableStream({
    cancel: () => {
      isCancelled = true;
    },
  });
  const { endpoint, clock } = createEndpoint([new Response(endless)]);

  expect(await settle(endpoint.send(body), clock)).toBe("sent");
  expect(isCancelled).toBe(true);
});
