import { maxJsonDepth, type Clock } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { FakeClock } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { readBody, type ReadBodyOptions } from "./read-body.ts";

const schema = routes.setSystemPrompt.body;

function post(body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null): Request {
  return new Request("http://host.test/", { method: "POST", body });
}

function options(clock: Clock = new FakeClock()): ReadBodyOptions {
  return { clock, signal: new AbortController().signal };
}

async function refusalOf(work: Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> {
  try {
    await work;
  } catch (error) {
    if (ServiceError.is(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("It was not refused");
}

test("readBody rejects an invalid body, and names the expected fields", async () => {
  for (const [body, facts] of [
    [null, ["no body", '"template"']],
    ["  \n", ["no body", '"template"']],
    ["{", ["line 1, column 2", '"template"']],
    ['{\n  "template": nonsense }', ["line 2, column 15", '"template"']],
    ["7", ['"template"']],
    ["null", ['"template"']],
    ["[]", ['"template"']],
    ["{}", ['"template"']],
    ['{"template":7}', ['"template"', "string"]],
    ['{"template":"x","extra":1}', ['"extra"', '"template"']],
    ['{"template":"x","__proto__":1}', ['"__proto__"', '"template"']],
    ["[".repeat(1_000_000), ["128 levels"]],
    [new Uint8Array([0x22, 0xff, 0x22]), ["UTF-8"]],
  ] as const) {
    const refusal = await refusalOf(readBody(post(body), schema, options()));

    expect(refusal.code).toBe("INVALID_REQUEST");
    for (const fact of facts) expect(refusal.message).toContain(fact);
  }
});

test("[attack:bounds-body-depth] readBody rejects deep nesting anywhere with an error message", async () => {
  const chat = (levels: number): Request => {
    const schema = `${'{"not":'.repeat(levels)}true${"}".repeat(levels)}`;
    return post(`{"tools":[{"type":"function","function":{"name":"x","parameters":${schema}}}]}`);
  };
  const body = routes.createChatCompletion.body;

  const refusal = await refusalOf(readBody(chat(200_000), body, options()));
  const control = await readBody(chat(maxJsonDepth - 4), body, options());

  expect(refusal.code).toBe("INVALID_REQUEST");
  expect(refusal.message).toContain("nested more than 128 levels deep");
  expect(control.tools).toHaveLength(1);
});

test("[attack:bounds-many-problems] readBody reports a bounded number of problems", async () => {
  const body = routes.createChatCompletion.body.strict();
  const refused = async (count: number): Promise<string> => {
    const messages = Array.from({ length: count }, () => ({ role: "x" }));
    const unknown = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    return (await refusalOf(readBody(post(JSON.stringify({ messages, ...unknown })), body, options()))).message;
  };

  const hostile = await refused(40_000);
  const control = await refused(2);

  expect(hostile.length).toBeLessThan(10_000);
  for (const fact of ["messages.0.role", "messages.1.role"]) expect(hostile).toContain(fact);
  for (const fact of ["messages.0.role", "messages.1.role", '"k0", "k1"']) expect(control).toContain(fact);
});

test("readBody names the invalid part of a message with the reason", async () => {
  const file = { type: "file", mediaType: "image/png", data: "AAEC" };
  for (const [input, field, fact] of [
    [7, "input", "string"],
    ["", "input", "must have more than white space"],
    [[], "input", "at least one part"],
    [
      [
        { type: "text", text: "a" },
        { type: "text", text: "" },
      ],
      "input.1.text",
      "must have more than white space",
    ],
    [[{ type: "text", text: "a" }, { type: "picture" }], "input.1.type", "file"],
    [[{ type: "text" }], "input.0.text", "string"],
    [[{ ...file, data: "no!" }], "input.0.data", "base64"],
    [[{ ...file, data: 7 }], "input.0.data", "string"],
    [[{ ...file, mediaType: "png" }], "input.0.mediaType", "image/png"],
    [[{ ...file, url: "x" }], "input.0.url", "unknown key"],
  ] as const) {
    const refusal = await refusalOf(readBody(post(JSON.stringify({ input })), routes.createTurn.body, options()));

    expect(refusal).toMatchObject({ code: "INVALID_REQUEST" });
    expect(refusal.message).toContain(`"${field}"`);
    expect(refusal.message).toContain(fact);
  }
});

test("readBody accepts chunks of any size", async () => {
  const bytes = new TextEncoder().encode('{"template":"Grüße"}');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });

  expect(await readBody(post(body), schema, options())).toEqual({ template: "Grüße" });
});

test("readBody stops reading after 8 MiB", async () => {
  let taken = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken += 1;
      controller.enqueue(new Uint8Array(1_048_576));
    },
  });

  const refusal = await refusalOf(readBody(post(endless), schema, options()));

  expect(refusal).toMatchObject({ code: "BODY_TOO_LARGE" });
  expect(taken).toBeLessThan(12);
});

test("readBody times out after 30 s", async () => {
  const clock = new FakeClock();
  let isCancelled = false;
  const slow = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
    cancel: () => void (isCancelled = true),
  });

  const refusal = refusalOf(readBody(post(slow), schema, options(clock)));
  await clock.advance(30_000);

  expect(await refusal).toMatchObject({ code: "TIMEOUT" });
  expect(isCancelled).toBe(true);
  expect(clock.pending).toBe(0);
});

test("readBody reports a truncated body as a client error", async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error("The connection was closed")),
  });

  expect(await refusalOf(readBody(post(broken), schema, options()))).toMatchObject({
    code: "INVALID_REQUEST",
  });
});

test("readBody accepts exactly 8 MiB, and a missing body only if optional", async () => {
  const template = "x".repeat(8 * 1_048_576 - '{"template":""}'.length);
  const clock = new FakeClock();

  const whole = await readBody(post(`{"template":"${template}"}`), schema, options(clock));
  const over = await refusalOf(readBody(post(`{"template":"${template}x"}`), schema, options(clock)));
  const optional = routes.forkConversation.body;

  expect(whole.template).toHaveLength(template.length);
  expect(over.code).toBe("BODY_TOO_LARGE");
  expect(await readBody(post(" "), optional, { ...options(clock), isOptional: true })).toEqual({});
  expect(await readBody(post('{"title":"x"}'), optional, { ...options(clock), isOptional: true })).toMatchObject({
    title: "x",
  });
});

test("[attack:bounds-body-width] readBody rejects too many values anywhere with an error message", async () => {
  const chat = (count: number): Request =>
    post(`{"messages":[${Array.from({ length: count }, () => '{"role":"user","content":"x"}').join()}]}`);
  const body = routes.createChatCompletion.body;

  const refusal = await refusalOf(readBody(chat(200_000), body, options()));
  const control = await readBody(chat(20_000), body, options());

  expect(refusal).toEqual({
    code: "INVALID_REQUEST",
    message: "The body is made of more than 200000 values; send less",
  });
  expect(control.messages).toHaveLength(20_000);
});

test("readBody stops reading when its signal aborts", async () => {
  const abort = new AbortController();
  let isCancelled = false;
  const slow = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"template":')),
    cancel: () => {
      isCancelled = true;
    },
  });
  const refusal = refusalOf(readBody(post(slow), schema, { ...options(), signal: abort.signal }));

  abort.abort();

  expect(await refusal).toMatchObject({ code: "TIMEOUT" });
  expect(isCancelled).toBe(true);
  const over = { ...options(), signal: AbortSignal.abort() };
  expect(await refusalOf(readBody(post('{"template":"x"}'), schema, over))).toMatchObject({ code: "TIMEOUT" });
});
