import type { ScaffoldKind } from "./scaffold-kind.ts";

export const providerScaffold: ScaffoldKind = {
  gives: ({ name }) => `the model "${name}/echo"`,
  manifest: () => ({ contributes: ["model-providers@1"] }),
  code: ({ name }) => ({
    "src/index.ts": `import { defineExtension } from "@incipit/kernel";
import { modelProvidersPoint } from "@incipit/service-contract";
import { reply } from "./reply.ts";
import packageJson from "../package.json";

/** Provides the model ${name}/echo. */
export default defineExtension(packageJson, (host) => {
  host.contribute(modelProvidersPoint, {
    id: "${name}",
    models: ["echo"],
    isClosedList: true,
    problem: null, // Or a missing prerequisite, such as an API key, with a remedy.
    contextWindow: async () => 100_000,
    stream: reply,
  });
});
`,
    "src/reply.ts": `import type { ModelEvent, ModelRequest } from "@incipit/service-contract";
import { requestBody } from "./request-body.ts";

/** Echoes the last user message. Never throws: an error is the last event. */
export async function* reply(request: ModelRequest): AsyncGenerator<ModelEvent> {
  const { model, messages, signal } = request;
  if (model !== "echo") return yield failure("BAD_REQUEST", \`There is no model "\${model}"; there is "echo"\`);
  if (signal.aborted) return yield failure("FAILED", "The call was stopped");
  try {
    await keepRecord(request);
  } catch (error) {
    return yield failure("FAILED", error instanceof Error ? error.message : String(error));
  }
  const said = messages.findLast(({ role }) => role === "user")?.parts ?? [];
  const text = said.map((part) => (part.type === "text" ? part.text : \`(\${part.type})\`)).join(" ");
  yield { type: "text-start", partId: "0" };
  yield { type: "text-delta", partId: "0", text: \`You said: \${text}\` };
  if (signal.aborted) return yield failure("FAILED", "The call was stopped");
  yield { type: "text-end", partId: "0" };
  const usage = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };
  yield { type: "finish", usage, finishReason: "stop" };
}

/**
 * Records the request before the reply. No request leaves the host here: a provider that calls a service passes
 * \`observe\` and \`signal\` to host.net.fetch instead, which records the sent bytes.
 */
async function keepRecord(request: ModelRequest): Promise<void> {
  const body = requestBody(request);
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  const sha256 = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  await request.observe({ method: "POST", url: "echo:", headers: {}, body, sha256, at: Date.now() });
}

function failure(code: string, message: string): ModelEvent {
  return { type: "failure", error: { code, message, isRetryable: false } };
}
`,
    "src/request-body.ts": `import type { ModelRequest } from "@incipit/service-contract";

type Part = ModelRequest["messages"][number]["parts"][number];

/**
 * Serializes a request for a vendor's prompt cache: each request of a conversation is a byte prefix of the next, except
 * for closing brackets. Keys are listed explicitly to fix their order.
 */
export function requestBody({ model, tools, systemPrompt, messages }: ModelRequest): string {
  return JSON.stringify({
    model,
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    system: systemPrompt.length === 0 ? undefined : systemPrompt,
    messages: messages.map(({ role, parts }) => ({ role, parts: parts.map(written) })),
  });
}

function written(part: Part): object {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.text };
    case "tool-call":
      return { type: part.type, id: part.toolCallId, name: part.name, input: part.input };
    case "tool-result":
      return { type: part.type, id: part.toolCallId, output: part.output, isError: part.isError };
    case "file":
      return { type: part.type, mediaType: part.mediaType, data: part.data };
  }
}
`,
  }),
  test: ({ name }) => `import { modelProvidersPoint, type ModelEvent } from "@incipit/service-contract";
import { providerConformance, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./index.ts";

test("${name}/echo echoes the last user message", async () => {
  await using host = await startExtension(extension);
  const events: ModelEvent[] = [];
  const request = {
    model: "echo",
    conversationId: "1",
    cwd: "/",
    purpose: "turn",
    systemPrompt: [],
    messages: [{ role: "user", parts: [{ type: "text", text: "Hello" }] }],
    tools: [],
    signal: AbortSignal.timeout(1_000),
    observe: async () => {},
  } as const;

  for await (const event of host.contribution(modelProvidersPoint).stream(request)) events.push(event);

  expect(events).toContainEqual({ type: "text-delta", partId: "0", text: "You said: Hello" });
});

providerConformance("${name}", {
  open: async ({ scope }) => scope.use(await startExtension(extension)).contribution(modelProvidersPoint),
  model: "echo",
  wire: "none",
});
`,
  next: ({ name }) => [`incipit -m ${name}/echo "Hello"`],
};
