import { expect, test } from "bun:test";
import { startRecordingModelServer, type RecordingModelServer } from "../recording-model-server.ts";
import type { WireName } from "./wire-format.ts";

const exact = { usage: "simulated", cache: { unitTokens: 1, minTokens: 1 } } as const;
const paths = {
  "openai-chat": "/chat/completions",
  deepseek: "/chat/completions",
  "openai-responses": "/responses",
  anthropic: "/messages",
  gemini: "/models/m:generateContent",
} as const satisfies Record<WireName, string>;

async function send(server: RecordingModelServer, wire: WireName, body: object): Promise<object | undefined> {
  const url = `${server.urlOf(wire)}${paths[wire]}`;
  await (await fetch(url, { method: "POST", body: JSON.stringify(body) })).text();
  return server.requests.at(-1)?.usage;
}

const long = "word ".repeat(2_000);
const breakpoint = { cache_control: { type: "ephemeral" } };

function text(value: string, options: object = {}): object {
  return { type: "text", text: value, ...options };
}

/** All but the last question are answered. */
const requests: Readonly<Record<WireName, (questions: number, system?: string) => object>> = {
  "openai-chat": chat,
  deepseek: chat,
  "openai-responses": (questions, system = long) => ({
    model: "m",
    instructions: system,
    input: said(questions),
  }),
  anthropic: (questions, system = long) => {
    const messages = said(questions).map(({ role, content }) => ({ role, content: [text(content)] }));
    const last = { role: "user", content: [text(`question ${questions}`, breakpoint)] };
    return {
      model: "m",
      max_tokens: 9,
      system: [text(system, breakpoint)],
      messages: [...messages.slice(0, -1), last],
    };
  },
  gemini: (questions, system = long) => ({
    systemInstruction: { parts: [{ text: system }] },
    contents: said(questions).map(({ role, content }) => ({
      role: role === "user" ? "user" : "model",
      parts: [{ text: content }],
    })),
  }),
};

function chat(questions: number, system = long): object {
  return { model: "m", messages: [{ role: "system", content: system }, ...said(questions)] };
}

function said(questions: number): readonly { readonly role: string; readonly content: string }[] {
  return Array.from({ length: questions * 2 - 1 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `${index % 2 === 0 ? "question" : "answer"} ${Math.floor(index / 2) + 1}`,
  }));
}

for (const wire of ["openai-chat", "deepseek", "openai-responses", "anthropic", "gemini"] as const) {
  test(`the simulated cache of ${wire} reads the whole previous request, and nothing after a system text change`, async () => {
    await using server = await startRecordingModelServer({ ...exact, wire });
    const of = requests[wire];

    const first = await send(server, wire, of(1));
    const second = await send(server, wire, of(2));
    const again = await send(server, wire, of(2));
    const changed = await send(server, wire, of(2, `It is noon. ${long}`));
    const back = await send(server, wire, of(3));

    const all = (usage: object | undefined): number => Object(usage).inputTokens;
    expect(first).toMatchObject({ cacheReadTokens: 0 });
    expect(second).toMatchObject({ cacheReadTokens: all(first) });
    expect(again).toMatchObject({ cacheReadTokens: all(second) });
    expect(Object(changed).cacheReadTokens).toBeLessThan(30);
    expect(back).toMatchObject({ cacheReadTokens: all(second) });
  });
}

test("the simulated caches use their vendors' published units and minimal prefixes", async () => {
  await using server = await startRecordingModelServer({ usage: "simulated" });
  await using deepseek = await startRecordingModelServer({ usage: "simulated", wire: "deepseek" });
  const of = async (on: RecordingModelServer, wire: WireName, system: string): Promise<unknown> => {
    await send(on, wire, requests[wire](1, system));
    return Object(await send(on, wire, requests[wire](2, system))).cacheReadTokens;
  };
  const short = "word ".repeat(700);

  expect(await of(server, "openai-chat", long)).toBe(19 * 128);
  expect(await of(server, "openai-chat", short)).toBe(0);
  expect(await of(deepseek, "deepseek", short)).toBe(13 * 64);
  expect(await of(server, "anthropic", short)).toBe(0);
  expect(await of(server, "gemini", short)).toBe(0);
});

test("the simulated caches separate models and prompt_cache_keys", async () => {
  await using server = await startRecordingModelServer(exact);
  const request = requests["openai-responses"](1);
  await send(server, "openai-responses", { ...request, prompt_cache_key: "a" });

  expect(await send(server, "openai-responses", { ...request, prompt_cache_key: "b" })).toMatchObject({
    cacheReadTokens: 0,
  });
  expect(await send(server, "openai-responses", { ...request, prompt_cache_key: "a", model: "n" })).toMatchObject({
    cacheReadTokens: 0,
  });
});

test("the simulated cache of Anthropic writes at breakpoints and ignores a moved cache_control", async () => {
  await using server = await startRecordingModelServer(exact);
  const message = (role: string, ...content: readonly object[]): object => ({ role, content });
  const of = (...messages: readonly object[]): object => ({ model: "m", max_tokens: 9, messages });
  const one = message("user", text("one"));
  const answer = message("assistant", text("answer"));

  const unmarked = await send(server, "anthropic", of(one));
  const marked = await send(server, "anthropic", of(message("user", text("one", breakpoint))));
  const later = await send(server, "anthropic", of(one, answer, message("user", text("two", breakpoint))));
  const asString = await send(
    server,
    "anthropic",
    of({ role: "user", content: "one" }, answer, message("user", text("two", breakpoint))),
  );

  expect(unmarked).toMatchObject({ cacheReadTokens: 0, cacheWriteTokens: 0 });
  const written: unknown = Object(marked).inputTokens;
  expect(marked).toMatchObject({ cacheReadTokens: 0, cacheWriteTokens: written });
  expect(later).toMatchObject({ cacheReadTokens: written });
  expect(Object(later).cacheReadTokens + Object(later).cacheWriteTokens).toBe(Object(later).inputTokens);
  expect(asString).toMatchObject({ cacheReadTokens: 0 });
});

test("the simulated cache of Anthropic looks back exactly 20 blocks", async () => {
  const hitAfter = async (blocks: number): Promise<unknown> => {
    await using server = await startRecordingModelServer(exact);
    const added = Array.from({ length: blocks }, (_, index) => text(`block ${index}`));
    const of = (...content: readonly object[]): object => ({
      model: "m",
      max_tokens: 9,
      messages: [{ role: "user", content }],
    });
    await send(server, "anthropic", of(text("one", breakpoint)));
    const last = text("last", breakpoint);
    return Object(await send(server, "anthropic", of(text("one"), ...added, last))).cacheReadTokens;
  };

  expect(await hitAfter(18)).toBeGreaterThan(0);
  expect(await hitAfter(19)).toBe(0);
});
