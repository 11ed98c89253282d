import { defineExtension, type Extension } from "@incipit/kernel";
import { callIdSchema } from "@incipit/schema";
import {
  modelCallsHandle,
  type ModelCallEvent,
  type ModelCallRequest,
  type ModelEvent,
} from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { startApi, type StartedApi } from "../testing/start-api.ts";

const callId = callIdSchema.parse("01a1fcd7-5c9a-7556-afda-76769002c75c");
const usage = { inputTokens: null, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: null };
const path = "/v1/chat/completions";

class Calls {
  readonly requests: ModelCallRequest[] = [];
  readonly signals: AbortSignal[] = [];
  open = 0;
  readonly #waiting: ModelEvent[] = [];
  #wake = Promise.withResolvers<void>();

  send(...events: readonly ModelEvent[]): void {
    this.#waiting.push(...events);
    this.#wake.resolve();
  }

  get extension(): Extension {
    const unused = (): never => {
      throw new Error("The test does not use it");
    };
    return defineExtension({ id: "acme.calls", version: "1.0.0", api: "^1", provides: ["model-calls@1"] }, (host) =>
      host.provideService(modelCallsHandle, {
        call: (request, { signal }) => this.#counted(request, signal),
        embed: unused,
        list: unused,
        get: unused,
        request: unused,
        keep: unused,
        kept: unused,
        forget: unused,
        explain: unused,
        parts: unused,
      }),
    );
  }

  async *#counted(request: ModelCallRequest, signal: AbortSignal): AsyncGenerator<ModelCallEvent> {
    this.open += 1;
    try {
      yield* this.#events(request, signal);
    } finally {
      this.open -= 1;
    }
  }

  async *#events(request: ModelCallRequest, signal: AbortSignal): AsyncGenerator<ModelCallEvent> {
    this.requests.push(request);
    this.signals.push(signal);
    yield { type: "call-start", callId, model: "test/model" };
    signal.addEventListener("abort", () => this.#wake.resolve(), { once: true });
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) yield event;
      if (event?.type === "finish" || event?.type === "failure") return;
      if (event !== undefined) continue;
      if (signal.aborted) {
        yield { type: "failure", error: { code: "CANCELLED", message: "Stopped", isRetryable: false } };
        return;
      }
      await this.#wake.promise;
      this.#wake = Promise.withResolvers();
    }
  }
}

function ask(api: StartedApi, body: object, signal?: AbortSignal): Promise<Response> {
  const init = { method: "POST", body: JSON.stringify({ prompt: "Hello", ...body }) };
  return api.fetch(path, signal === undefined ? init : { ...init, signal });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise<void>((resolve) => setImmediate(resolve));
}

const overloaded = {
  type: "failure",
  error: { code: "OVERLOADED", message: "Too much", isRetryable: true, retryAfterMs: 1_500 },
} as const;

test("a completion that fails before its first event has the failure's status, streamed or not", async () => {
  const calls = new Calls();
  await using api = await startApi({ extensions: [calls.extension] });

  for (const stream of [true, false]) {
    calls.send(overloaded);
    const answer = await ask(api, { stream });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("x-incipit-call-id")).toBe(callId);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(await answer.json()).toEqual({
      error: { message: "Too much", type: "server_error", param: null, code: "provider_overloaded" },
    });
  }
  await until(() => calls.open === 0);
});

test("a completion with a vendor failure is not reported as overloaded", async () => {
  const calls = new Calls();
  await using api = await startApi({ extensions: [calls.extension] });

  for (const stream of [true, false]) {
    const message = `"v" answered 500`;
    calls.send({ type: "failure", error: { code: "VENDOR_FAILED", message, isRetryable: true } });
    const answer = await ask(api, { stream });
    expect(answer.status).toBe(502);
    expect(await answer.json()).toEqual({
      error: { message, type: "server_error", param: null, code: "provider_failed" },
    });
  }
});

test("a completion closes its call when the answer is complete", async () => {
  const calls = new Calls();
  await using api = await startApi({ extensions: [calls.extension] });

  for (const stream of [true, false]) {
    calls.send({ type: "finish", usage, finishReason: "stop" });
    const before = api.clock.pending;
    const answer = await ask(api, { stream });
    expect(answer.headers.get("x-incipit-call-id")).toBe(callId);
    await answer.text();
    await until(() => calls.open === 0 && api.clock.pending === before);
  }
});

test("[one-terminal-event] a slow streamed completion starts after 15 s, stays open, and ends with a failure event", async () => {
  const calls = new Calls();
  await using api = await startApi({ extensions: [calls.extension] });
  const asked = ask(api, { stream: true });
  await until(() => calls.requests.length === 1);
  await new Promise<void>((resolve) => setImmediate(resolve));
  await api.clock.advance(15_000);
  const answer = await asked;
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes('"role"')) text += (await reader?.read())?.value ?? "";
  await api.clock.advance(15_000);
  while (text.split(": keep open").length < 3) text += (await reader?.read())?.value ?? "";
  calls.send(overloaded);
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) text += next.value;

  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(text.split('"error"')).toHaveLength(2);
  expect(text).toEndWith('"code":"provider_overloaded"}}\n\n');
});

test("a completion without streaming times out after 240 s in OpenAI's format, and stops the model", async () => {
  const calls = new Calls();
  await using api = await startApi({ extensions: [calls.extension] });
  const asked = ask(api, {});
  await until(() => calls.requests.length === 1);
  await api.clock.advance(240_000);
  const answer = await asked;

  expect([answer.status, await answer.json()]).toMatchObject([
    504,
    { error: { type: "server_error", code: "timeout" } },
  ]);
  expect(calls.signals[0]?.aborted).toBe(true);
});

test("a disconnect stops the model before and after the first event", async () => {
  const calls = new Calls();
  await using api = await startApi({ extensions: [calls.extension] });
  const leave = new AbortController();
  const early = ask(api, { stream: true }, leave.signal).catch((error: unknown) => error);
  await until(() => calls.requests.length === 1);
  leave.abort();
  await early;
  await until(() => calls.signals[0]?.aborted === true);

  calls.send({ type: "text-delta", partId: "0", text: "One" });
  const answer = await ask(api, { stream: true });
  await answer.body?.cancel();

  await until(() => calls.signals[1]?.aborted === true);
  expect(api.logged).toEqual([]);
});

test("a completion contains the output once, without unreported data", async () => {
  const calls = new Calls();
  await using api = await startApi({ extensions: [calls.extension] });
  const said: readonly ModelEvent[] = [
    { type: "reasoning-start", partId: "r" },
    { type: "reasoning-delta", partId: "r", text: "Hm" },
    { type: "tool-call-start", toolCallId: "c", name: "look" },
    { type: "tool-call", toolCallId: "c", name: "look", input: "{}" },
    { type: "finish", usage, finishReason: "stop" },
  ];
  calls.send(...said);
  const whole: unknown = await (await ask(api, {})).json();
  calls.send(...said);
  const streamed = await (await ask(api, { stream: true, stream_options: { include_usage: true } })).text();

  const reported = { completion_tokens: 3, prompt_tokens_details: { cached_tokens: 0 } };
  expect(whole).toMatchObject({
    choices: [
      {
        message: {
          content: null,
          reasoning_content: "Hm",
          tool_calls: [{ id: "c", function: { arguments: "{}" } }],
        },
        finish_reason: "tool_calls",
      },
    ],
    usage: reported,
  });
  expect(JSON.stringify(whole)).not.toContain('prompt_tokens"');
  expect(streamed).toContain(`"choices":[],"usage":${JSON.stringify(reported)}}`);
  expect(streamed).toContain('"finish_reason":"tool_calls"');
  expect(streamed.match(/data: \[DONE\]\n\n$/g)).toHaveLength(1);
});

test("a completion contains reported usage, and none without a report", async () => {
  const calls = new Calls();
  await using api = await startApi({ extensions: [calls.extension] });
  const usageOf = async (inputTokens: number | null, outputTokens: number | null): Promise<unknown> => {
    const reported = { inputTokens, outputTokens, cacheReadTokens: null, cacheWriteTokens: null };
    calls.send({ type: "finish", usage: reported, finishReason: "stop" });
    const answer: unknown = await (await ask(api, {})).json();
    return Reflect.get(Object(answer), "usage");
  };

  expect(await usageOf(null, null)).toBeUndefined();
  expect(await usageOf(2, null)).toEqual({ prompt_tokens: 2 });
  expect(await usageOf(null, 3)).toEqual({ completion_tokens: 3 });
  expect(await usageOf(2, 3)).toEqual({ prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 });
});

test("streamed chunks contain call id and model, and usage only on request", async () => {
  const calls = new Calls();
  await using api = await startApi({ extensions: [calls.extension] });
  const chunksOf = async (body: object): Promise<readonly unknown[]> => {
    calls.send({ type: "text-delta", partId: "0", text: "One" }, { type: "finish", usage, finishReason: "stop" });
    const text = await (await ask(api, { stream: true, ...body })).text();
    return text.split("\n").flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice(6))] : []));
  };

  const plain = await chunksOf({});
  const withUsage = await chunksOf({ stream_options: { include_usage: true } });

  expect(plain.length).toBe(3);
  for (const chunk of [...plain, ...withUsage])
    expect(chunk).toMatchObject({ id: `chatcmpl-${callId}`, model: "test/model", object: "chat.completion.chunk" });
  for (const chunk of plain) expect(chunk).not.toHaveProperty("usage");
  expect(withUsage.slice(0, -1)).toEqual(
    withUsage.slice(0, -1).map(() => expect.objectContaining({ usage: null })),
  );
  expect(withUsage.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 3 } });
});

test("a completion keeps text next to tool calls, and reports reasoning tokens", async () => {
  const calls = new Calls();
  await using api = await startApi({ extensions: [calls.extension] });
  calls.send(
    { type: "text-start", partId: "t" },
    { type: "text-delta", partId: "t", text: "I " },
    { type: "tool-call", toolCallId: "c", name: "look", input: "{}" },
    { type: "text-delta", partId: "t", text: "look" },
    { type: "text-end", partId: "t" },
    { type: "finish", usage: { ...usage, reasoningTokens: 2 }, finishReason: "tool-calls" },
  );

  const whole: unknown = await (await ask(api, {})).json();

  expect(whole).toMatchObject({
    choices: [{ message: { content: "I look", tool_calls: [{ id: "c" }] }, finish_reason: "tool_calls" }],
    usage: { completion_tokens: 3, completion_tokens_details: { reasoning_tokens: 2 } },
  });
});

const timed = [
  ["/v1/chat/completions", { prompt: "Hello" }],
  ["/v1/responses", { input: "Hello", store: false }],
  ["/v1/messages", { model: "default", max_tokens: 10, messages: [{ role: "user", content: "Hello" }] }],
] as const;

test.each(timed)(
  "timeout of POST %s stops the call in time, with 504 or an error in its stream",
  async (path, body) => {
    const calls = new Calls();
    await using api = await startApi({ extensions: [calls.extension] });
    const send = (more: object): Promise<Response> =>
      api.fetch(path, { method: "POST", body: JSON.stringify({ ...body, ...more }) });

    const whole = send({ timeout: 2.5 });
    await until(() => calls.open === 1);
    await api.clock.advance(2_500);
    const early = send({ timeout: 2, stream: true });
    await until(() => calls.open === 1);
    await api.clock.advance(2_000);
    calls.send({ type: "text-delta", partId: "0", text: "One" });
    const stream = (await send({ timeout: 20, stream: true })).text();
    await api.clock.advance(20_000);
    const text = await stream;
    const inTime = send({ timeout: 2.5 });
    await until(() => calls.open === 1);
    calls.send({ type: "finish", usage, finishReason: "stop" });
    const statuses = await Promise.all([whole, early, inTime].map(async (response) => (await response).status));
    const wrong = await send({ timeout: "soon" });

    expect(statuses).toEqual([504, 504, 200]);
    expect(await (await whole).text()).toContain('its \\"timeout\\" of 2.5 s');
    expect(text).toContain("One");
    expect(text).toContain('its \\"timeout\\" of 20 s');
    expect(calls.signals.map(({ aborted }) => aborted)).toEqual([true, true, true, false]);
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining("must be a number of seconds"),
    ]);
    await until(() => calls.open === 0);
  },
);

test("timeout of a background response is rejected", async () => {
  const calls = new Calls();
  await using api = await startApi({ extensions: [calls.extension] });

  const refused = await api.fetch("/v1/responses", {
    method: "POST",
    body: JSON.stringify({ input: "Hello", background: true, timeout: 5 }),
  });

  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("omitted with `background`"),
  ]);
});
