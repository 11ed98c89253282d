import { errorResponseSchema, messagesResponseSchema } from "@incipit/transport-contract";
import type { ApiErrorCode } from "@incipit/schema";
import { afterEach, expect, test } from "bun:test";
import { HostWorld } from "../support/host-world.ts";
import { sharedWorld } from "../support/shared-world.ts";

// Its end throws for a request that strict providers would reject.
const world = await sharedWorld(HostWorld.create({ isStrict: true }));
const host = await world.start();
const { id } = await host.createConversation();

afterEach(async () => {
  const events = await host.turn(id, { input: "Hello" });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(await host.json("/health")).toMatchObject({ status: "ok", problems: [] });
});

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

function send({ path, body, headers, method = body === undefined ? "GET" : "POST" }: Sent): Promise<Response> {
  return fetch(`${host.url}${path.replace(":id", id)}`, {
    method,
    headers: { authorization: `Bearer ${host.token}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(120_000),
  });
}

interface Refusal {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly fact: string;
}

function invalid(fact: string): Refusal {
  return { status: 400, code: "INVALID_REQUEST", fact };
}

function turn(body: unknown): Sent {
  return { path: "/conversations/:id/turns", body: JSON.stringify(body) };
}

function turnOf(body: string | Uint8Array<ArrayBuffer>): Sent {
  return { path: "/conversations/:id/turns", body };
}

function file(part: object): Sent {
  return turn({ input: [{ type: "file", mediaType: "image/png", data: "AAEC", ...part }] });
}

const nobody = "01a1fcd7-5c9a-7556-afda-76769002c75c";
const ofAnotherKind = "5f0c5a3e-3b86-4cd5-9a6e-2f6f0a3f7d11";
const modelUnknown: Refusal = { status: 400, code: "MODEL_UNKNOWN", fact: "PROVIDER/MODEL" };
const eventInvalid: Refusal = { status: 400, code: "INVALID_EVENT_ID", fact: "event" };

const rows: readonly (readonly [what: string, sent: Sent, refusal: Refusal])[] = [
  [
    "a message over 8 MiB",
    turn({ input: "x".repeat(8_388_608) }),
    { status: 413, code: "BODY_TOO_LARGE", fact: "8388608 bytes" },
  ],
  ["an empty message", turn({ input: "" }), invalid('"input"')],
  ["white space alone", turn({ input: " \n\t" }), invalid("white space")],
  [
    "a part of white space",
    turn({
      input: [
        { type: "text", text: "a" },
        { type: "text", text: " " },
      ],
    }),
    invalid('"input.1.text"'),
  ],
  ["no message", turn({}), invalid('"input"')],
  ["null as message", turn({ input: null }), invalid('"input"')],
  ["a number as message", turn({ input: 7 }), invalid("a string, or a list of parts")],
  ["no parts", turn({ input: [] }), invalid("at least one part")],
  ["a part that is a string", turn({ input: ["x"] }), invalid('"input.0"')],
  ["a part of an unknown type", turn({ input: [{ type: "image", url: "x" }] }), invalid('"input.0.type"')],
  ["a part without a type", turn({ input: [{ text: "x" }] }), invalid('"input.0.type"')],
  [
    "a tool's result as part",
    turn({ input: [{ type: "tool-result", toolCallId: "a", output: "x" }] }),
    invalid('"input.0.type"'),
  ],
  ["a part whose text is a number", turn({ input: [{ type: "text", text: 7 }] }), invalid('"input.0.text"')],
  [
    "a part with an unknown key",
    turn({ input: [{ type: "text", text: "x", extra: 1 }] }),
    invalid('"input.0.extra"'),
  ],
  ["a file that is no base64", file({ data: "***" }), invalid('"input.0.data"')],
  ["a file whose data is a list", file({ data: [0, 1] }), invalid('"input.0.data"')],
  ["a file without data", file({ data: undefined }), invalid('"input.0.data"')],
  ["a file of no media type", file({ mediaType: "png" }), invalid('"input.0.mediaType"')],
  ["a file whose name is a path", file({ filename: "../../x" }), invalid('"input.0.filename"')],
  ["a number as system", turn({ input: "x", system: 7 }), invalid('"system": must be a string')],
  ["an object as system", turn({ input: "x", system: {} }), invalid('"system": must be a string')],
  ["a number in system", turn({ input: "x", system: ["a", 7] }), invalid('"system.1"')],
  ["an unknown systemMode", turn({ input: "x", systemMode: "prepend" }), invalid('"systemMode"')],
  ["an unknown key", turn({ input: "x", extra: 1 }), invalid('"extra"')],
  ["a key of every object", turnOf('{"input":"x","__proto__":{"admin":true}}'), invalid('"__proto__"')],
  ["a model without a provider", turn({ input: "x", model: "gpt" }), modelUnknown],
  [
    "a model of an unknown provider",
    turn({ input: "x", model: "acme/gpt" }),
    { ...modelUnknown, fact: 'unknown provider "acme"' },
  ],
  ["a provider without a model", turn({ input: "x", model: "local/" }), modelUnknown],
  [
    "an unknown model of a provider that lists them",
    turn({ input: "x", model: "offline/gpt" }),
    { ...modelUnknown, fact: "offline/echo" },
  ],
  ["a number as model", turn({ input: "x", model: 7 }), invalid('"model"')],
  [
    "an unknown profile",
    { path: "/conversations", body: '{"profile":"constructor"}' },
    { status: 400, code: "PROFILE_UNKNOWN", fact: "constructor" },
  ],
  ["no body", { ...turnOf(""), method: "POST" }, invalid("no body")],
  ["a body that is no JSON", turnOf('{"input":'), invalid("line 1, column 10")],
  [
    "a form as body",
    { ...turnOf("input=x"), headers: { "content-type": "application/x-www-form-urlencoded" } },
    invalid("not valid JSON"),
  ],
  ["a list as body", turnOf("[]"), invalid("expected object")],
  ["null as body", turnOf("null"), invalid("expected object")],
  ["a body of 4,000,000 brackets", turnOf("[".repeat(4_000_000)), invalid("128 levels")],
  [
    "a message in 1,000,000 lists",
    turnOf(`{"input":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`),
    invalid("128 levels"),
  ],
  ["a body that is no UTF-8", turnOf(Uint8Array.of(0x22, 0xff, 0xfe, 0x22)), invalid("not UTF-8")],
  [
    "a body that is packed",
    { ...turnOf(Bun.gzipSync('{"input":"x"}')), headers: { "content-encoding": "gzip" } },
    invalid("not UTF-8"),
  ],
  [
    "another method",
    { ...turn({ input: "x" }), method: "PUT" },
    { status: 405, code: "METHOD_NOT_ALLOWED", fact: "use POST" },
  ],
  [
    "a method of no route",
    { path: "/health", method: "DELETE" },
    { status: 405, code: "METHOD_NOT_ALLOWED", fact: "use GET" },
  ],
  [
    "a conversation that there is not",
    { path: `/conversations/${nobody}/turns`, body: "{" },
    { status: 404, code: "CONVERSATION_UNKNOWN", fact: nobody },
  ],
  [
    "a UUID of another kind as conversation",
    { path: `/conversations/${ofAnotherKind}/turns`, body: "{}" },
    { status: 404, code: "CONVERSATION_UNKNOWN", fact: ofAnotherKind },
  ],
  ["a path as conversation", { path: "/conversations/..%2f..%2fetc/turns", body: "{}" }, invalid("must be a UUID")],
  ["what is no escape as conversation", { path: "/conversations/%ZZ/turns", body: "{}" }, invalid("%ZZ")],
  [
    "a turn that there is not",
    { path: `/conversations/:id/queue/${nobody}`, method: "DELETE" },
    { status: 404, code: "TURN_NOT_QUEUED", fact: nobody },
  ],
  [
    "an approval that there is not",
    { path: `/conversations/:id/approvals/${nobody}`, body: '{"decision":"allow"}' },
    { status: 404, code: "APPROVAL_UNKNOWN", fact: nobody },
  ],
  [
    "a path as approval",
    { path: "/conversations/:id/approvals/..%2fx", body: '{"decision":"allow"}' },
    { status: 404, code: "APPROVAL_UNKNOWN", fact: "../x" },
  ],
  [
    "an unknown decision",
    { path: `/conversations/:id/approvals/${nobody}`, body: '{"decision":"perhaps"}' },
    invalid('"decision"'),
  ],
  [
    "a step that there is not",
    { path: `/conversations/:id/steps/${nobody}/request` },
    { status: 404, code: "STEP_UNKNOWN", fact: nobody },
  ],
  [
    "a path as step",
    { path: "/conversations/:id/steps/..%2fx/request" },
    { status: 404, code: "STEP_UNKNOWN", fact: "../x" },
  ],
  [
    "a tool output that there is not",
    { path: "/conversations/:id/tool-outputs/call_1" },
    { status: 404, code: "TOOL_OUTPUT_UNKNOWN", fact: "call_1" },
  ],
  [
    "NUL as tool output",
    { path: "/conversations/:id/tool-outputs/%00" },
    { status: 404, code: "TOOL_OUTPUT_UNKNOWN", fact: "No output" },
  ],
  [
    "a message that there is not as the place of a fork",
    { path: "/conversations/:id/fork", body: `{"after":"${nobody}"}` },
    { status: 404, code: "MESSAGE_UNKNOWN", fact: nobody },
  ],
  [
    "no id as the place of a fork",
    { path: "/conversations/:id/fork", body: '{"after":"x"}' },
    { status: 404, code: "MESSAGE_UNKNOWN", fact: '"x"' },
  ],
  [
    "two places of a fork",
    { path: "/conversations/:id/fork", body: `{"after":"${nobody}","before":"${nobody}"}` },
    invalid("before"),
  ],
  ["an import that is no JSON", { path: "/conversations/import", body: "nope" }, invalid("Line 1")],
  [
    "a key of 256 characters",
    { ...turn({ input: "x" }), headers: { "idempotency-key": "x".repeat(256) } },
    invalid('"idempotency-key"'),
  ],
  ["what is no cursor", { path: "/conversations?cursor=next" }, invalid('"nextCursor"')],
  ["NUL as cursor", { path: "/conversations/:id/messages?cursor=%00" }, invalid('"nextCursor"')],
  ["a page of a billion", { path: "/conversations?limit=1e9" }, invalid('"limit"')],
  ...["-1", "1.5", "1e3", "0x1", "", "9".repeat(400), "１"].map(
    (after) =>
      [
        `"${after.slice(0, 8)}" as event`,
        { path: `/conversations/:id/events?after=${encodeURIComponent(after)}` },
        eventInvalid,
      ] as const,
  ),
  [
    "an event from the future",
    { path: "/conversations/:id/events", headers: { "last-event-id": "999999" } },
    { ...eventInvalid, fact: "the newest is" },
  ],
  [
    "an event from the future, whatever the query says",
    { path: "/conversations/:id/events?after=0", headers: { "last-event-id": "999999" } },
    { ...eventInvalid, fact: "999999" },
  ],
];

for (const [what, sent, { status, code, fact }] of rows) {
  test(`the host rejects ${what} with ${code}, and the conversation continues`, async () => {
    const before = await host.json(`/conversations/${id}`);

    const response = await send(sent);
    const { error } = errorResponseSchema.parse(await response.json());

    expect({ status: response.status, code: error.code }).toEqual({ status, code });
    expect(error.message).toContain(fact);
    expect(await host.json(`/conversations/${id}`)).toEqual(before);
  });
}

test("the host accepts unusual text, replaces lone surrogates, and sends valid requests", async () => {
  const odd = ["\u0000", "a\u0000b", "a\u2028b", "\ufffe\uffff", "\\ud83d", '"}]}', "<|im_end|>", "\u202e\u200b."];
  for (const text of odd) await host.turn(id, { input: text });
  for (const body of [
    '{"input":"a\\ud83d"}',
    '{"input":[{"type":"text","text":"\\udc00b"}]}',
    '{"input":"c","system":"\\ud83d"}',
    '\ufeff{"input":"d"}',
  ]) {
    const response = await send({ ...turnOf(body), headers: { "content-type": "text/plain" } });
    expect(await response.text()).toContain('"status":"completed"');
  }

  const { messages } = messagesResponseSchema.parse(await host.json(`/conversations/${id}/messages?limit=1000`));
  const said = messages
    .flatMap(({ role, parts }) => (role === "user" ? parts : []))
    .flatMap((part) => (part.type === "text" ? [part.text] : []));
  expect(said.slice(-12)).toEqual([...odd, "a\ufffd", "\ufffdb", "c", "d"]);
});
