import type { MessagePart, ModelMessage } from "@incipit/schema";
import type { ModelProvider, ModelRequest } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import * as z from "zod";
import { providerRequestPromises } from "./provider-request-promises.ts";
import type { ProviderWorld } from "./provider-world.ts";
import { startRecordingModelServer } from "../model-server/recording-model-server.ts";

const keepsGivenBack =
  providerRequestPromises["stream gives back what the vendor wants back with a reply, the same after a restart"];
const replySchema = z.object({
  candidates: z.tuple([
    z.object({
      content: z.object({
        parts: z.array(
          z.object({
            text: z.string().optional(),
            functionCall: z.object({ id: z.string(), name: z.string(), args: z.json() }).optional(),
            thoughtSignature: z.string().optional(),
          }),
        ),
      }),
    }),
  ]),
});
const usage = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };

/** `gives` maps the returned signature. */
function createProvider(url: string, gives: (signature: unknown) => unknown): ModelProvider {
  const toPart = (part: MessagePart): object => {
    if (part.type === "tool-result") {
      const { toolCallId: id, name, output } = part;
      return { functionResponse: { id, name, response: { output } } };
    }
    if (part.type !== "tool-call") return { text: "text" in part ? part.text : "" };
    const thoughtSignature = gives(part.metadata?.["google"]?.["thoughtSignature"]);
    return {
      functionCall: { id: part.toolCallId, name: part.name, args: JSON.parse(part.input) },
      thoughtSignature,
    };
  };
  const toContent = ({ role, parts }: ModelMessage): object => ({
    role: role === "assistant" ? "model" : "user",
    parts: parts.map(toPart),
  });
  return {
    id: "fixture",
    models: [],
    problem: null,
    async *stream({ messages, observe }: ModelRequest) {
      const body = JSON.stringify({ contents: messages.map(toContent) });
      const target = `${url}/models/m:generateContent`;
      const sha256 = createHash("sha256").update(body).digest("hex");
      await observe({ method: "POST", url: target, headers: {}, body, sha256, at: 0 });
      const reply = replySchema.parse(await (await fetch(target, { method: "POST", body })).json());
      for (const { functionCall: call, thoughtSignature = "" } of reply.candidates[0].content.parts)
        if (call !== undefined)
          yield {
            type: "tool-call",
            toolCallId: call.id,
            name: call.name,
            input: JSON.stringify(call.args),
            metadata: { google: { thoughtSignature } },
          };
      yield { type: "finish", usage, finishReason: "stop" };
    },
  };
}

async function verdict(gives: (signature: unknown) => unknown): Promise<string> {
  await using server = await startRecordingModelServer({ wire: "gemini" });
  const provider = createProvider(server.urlOf("gemini"), gives);
  const world: ProviderWorld = {
    provider,
    reopen: async () => provider,
    server,
    model: "m",
    wire: "gemini",
    deadlineMs: 20_000,
  };
  try {
    await keepsGivenBack(world);
    return "kept";
  } catch (error) {
    return String(error);
  }
}

test("the promise about returned signatures detects providers that lose or replace them", async () => {
  let count = 0;

  expect(await verdict((signature) => signature)).toBe("kept");
  expect(await verdict(() => undefined)).toContain("toContain");
  expect(await verdict((signature) => `${String(signature)}${"A".repeat(4 * (count += 1))}`)).toContain("toBe");
});
