import type { WireRequest } from "@incipit/kernel";
import type { ModelMessage } from "@incipit/schema";
import { ServiceError, type ModelEvent, type ModelRequest } from "@incipit/service-contract";
import { modelRequest, userMessage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createOfflineProvider } from "./offline-provider.ts";

const provider = createOfflineProvider("offline", { now: () => 0, setTimer: () => () => {} });

function request(options: Partial<ModelRequest> = {}): ModelRequest {
  const messages = [userMessage("Hello?")];
  return modelRequest({ model: "echo", systemPrompt: ["Be brief.\nAlways."], messages, ...options });
}

async function collect(options: Partial<ModelRequest> = {}): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request(options))) events.push(event);
  return events;
}

function textOf(events: readonly ModelEvent[]): string {
  return events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
}

test("createOfflineProvider replies with hash, size and first line of the prompt, tools and messages", async () => {
  const events = await collect({ tools: [{ name: "search", description: "", inputSchema: {} }] });

  const text = textOf(events);
  expect(text).toContain(`17 bytes, SHA-256 ${createHash("sha256").update("Be brief.\nAlways.").digest("hex")}`);
  expect(text).toContain("Its first line: Be brief.\n");
  expect(text).toContain("Tools: search.");
  expect(text).toContain("Messages: 1.");
  expect(text).toEndWith("You said: Hello?");
  expect(events.at(-1)).toMatchObject({ type: "finish", usage: { inputTokens: null } });
});

test("createOfflineProvider accepts any file and describes it", async () => {
  const file = { type: "file", mediaType: "image/png", data: "AAEC" } as const;
  const parts = [{ type: "text", text: "See" }, { ...file, filename: "a.png" }, file] as const;
  const seen: WireRequest[] = [];

  const text = textOf(
    await collect({ messages: [{ role: "user", parts }], observe: (wire) => void seen.push(wire) }),
  );

  const facts = `image/png, 3 bytes, SHA-256 ${createHash("sha256")
    .update(Buffer.of(0, 1, 2))
    .digest("hex")}.\n`;
  expect(text).toEndWith(`The file a.png: ${facts}A file: ${facts}You said: See`);
  expect(provider.acceptsFile?.({ model: "echo", mediaType: "x/y" })).toBe(true);
  expect(JSON.parse(seen[0]?.body ?? "").messages).toEqual([{ role: "user", parts }]);
});

test("createOfflineProvider reports a missing prompt", async () => {
  expect(textOf(await collect({ systemPrompt: [] }))).toContain("System prompt: none was sent.");
});

test("createOfflineProvider observes one request in prefix order", async () => {
  const seen: WireRequest[] = [];
  await collect({ observe: (wire) => void seen.push(wire) });

  expect(seen).toHaveLength(1);
  expect(Object.keys(JSON.parse(seen[0]?.body ?? ""))).toEqual(["model", "tools", "system", "messages"]);
  expect(seen[0]?.sha256).toBe(
    createHash("sha256")
      .update(seen[0]?.body ?? "")
      .digest("hex"),
  );
});

test("createOfflineProvider observes requests that are byte prefixes of the next, for any key order", async () => {
  const bodies: string[] = [];
  const observe = (wire: WireRequest): void => void bodies.push(wire.body);
  const first: ModelMessage = { role: "user", parts: [{ type: "text", text: 'NUL \u0000 "quotes" 🎉' }] };
  const call = { name: "a", input: '{ "x" : 1}', toolCallId: "t", type: "tool-call" } as const;
  const sameCall = { type: "tool-call", toolCallId: "t", name: "a", input: '{ "x" : 1}' } as const;
  const result = { type: "tool-result", toolCallId: "t", name: "a", output: "o", isError: false } as const;

  await collect({ observe, messages: [first, { role: "assistant", parts: [call] }] });
  await collect({
    observe,
    messages: [
      { parts: [{ text: 'NUL \u0000 "quotes" 🎉', type: "text" }], role: "user" },
      { role: "assistant", parts: [sameCall] },
      { role: "tool", parts: [result] },
    ],
  });

  expect(bodies[1]).toStartWith(bodies[0]?.slice(0, -2) ?? "");
});

test("createOfflineProvider returns the same deltas for the same request", async () => {
  const events = await collect();

  expect(events.filter(({ type }) => type === "text-delta").length).toBeGreaterThan(1);
  expect(await collect()).toEqual(events);
});

test("createOfflineProvider rejects an unknown model without observing a request", async () => {
  const seen: WireRequest[] = [];

  const events = await collect({ model: "other", observe: (wire) => void seen.push(wire) });

  expect(events).toMatchObject([{ type: "failure", error: { code: "BAD_REQUEST", isRetryable: false } }]);
  expect(seen).toEqual([]);
});

test("createOfflineProvider ends with one failure when aborted midway", async () => {
  const stop = new AbortController();
  const events: ModelEvent[] = [];

  for await (const event of provider.stream(request({ signal: stop.signal }))) {
    events.push(event);
    if (event.type === "text-delta") stop.abort();
  }

  expect(events.map(({ type }) => type)).toEqual(["text-start", "text-delta", "failure"]);
});

test("createOfflineProvider ends with one failure when aborted or when recording fails", async () => {
  const full = new ServiceError("INTERNAL", "disk full");
  const stopped = await collect({ signal: AbortSignal.abort() });
  const refused = await collect({ observe: () => Promise.reject(full) });
  const unrecorded = await collect({ observe: () => Promise.reject(new Error("disk full")) });

  expect(stopped).toMatchObject([{ type: "failure" }]);
  expect(refused).toMatchObject([{ type: "failure", error: { code: "INTERNAL", message: "disk full" } }]);
  expect(unrecorded).toMatchObject([{ type: "failure", error: { code: "FAILED", message: "disk full" } }]);
});
