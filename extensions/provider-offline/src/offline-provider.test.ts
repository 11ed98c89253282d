import type { WireRequest } from "@incipit/kernel";
import type { ModelEvent, ModelRequest } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createOfflineProvider } from "./offline-provider.ts";

const provider = createOfflineProvider("offline", { now: () => 0, setTimer: () => () => {} });

function request(options: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "echo",
    conversationId: "c",
    systemPrompt: ["Be brief.\nAlways."],
    messages: [{ role: "user", parts: [{ type: "text", text: "Hello?" }] }],
    tools: [],
    signal: new AbortController().signal,
    observe: () => {},
    ...options,
  };
}

async function collect(options: Partial<ModelRequest> = {}): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request(options))) events.push(event);
  return events;
}

function textOf(events: readonly ModelEvent[]): string {
  return events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
}

test("createOfflineProvider states what it was told: hash, size and first line of the prompt, tools, messages", async () => {
  const events = await collect({ tools: [{ name: "search", description: "", inputSchema: {} }] });

  const text = textOf(events);
  expect(text).toContain(`17 bytes, SHA-256 ${createHash("sha256").update("Be brief.\nAlways.").digest("hex")}`);
  expect(text).toContain("Its first line: Be brief.\n");
  expect(text).toContain("Tools: search.");
  expect(text).toContain("Messages: 1.");
  expect(text).toEndWith("You said: Hello?");
  expect(events.at(-1)).toMatchObject({ type: "finish", usage: { inputTokens: null } });
});

test("createOfflineProvider says when no prompt was sent", async () => {
  expect(textOf(await collect({ systemPrompt: [] }))).toContain("System prompt: none was sent.");
});

test("createOfflineProvider observes one request, with what the model was told in the order of the prefix", async () => {
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

test("createOfflineProvider ends in one failure when it is stopped, or its request cannot be recorded", async () => {
  const stopped = await collect({ signal: AbortSignal.abort() });
  const unrecorded = await collect({ observe: () => Promise.reject(new Error("disk full")) });

  expect(stopped).toMatchObject([{ type: "failure" }]);
  expect(unrecorded).toMatchObject([{ type: "failure", error: { message: "disk full" } }]);
});
