import { defineExtension, type Extension } from "@incipit/kernel";
import type { CutReason, ModelPrices } from "@incipit/schema";
import { modelProvidersPoint, type ModelEvent } from "@incipit/service-contract";

interface CallThenSay {
  readonly call: { readonly name: string; readonly input: string };
  readonly say: string | null;
}

interface CutText {
  readonly text: string;
  readonly cutReason: CutReason;
}

interface BrokenText {
  readonly text: string;
  readonly failure: Error;
}

export type Answer = (asked: string) => string | Error | CallThenSay | CutText | BrokenText | Promise<string>;

const usage = { inputTokens: 8, outputTokens: 2, cacheReadTokens: null, cacheWriteTokens: null };

/** One answer of `test/model` costs ten cents. */
export const tenCents: ModelPrices = { input: 10_000, output: 10_000, cacheRead: null, cacheWrite: null };

export function answeringModel(
  asked: string[],
  answer: Answer = () => "HEARTBEAT_OK",
  prices: ModelPrices | null = null,
): Extension {
  let afterwards: string | undefined;
  return defineExtension(
    { id: "test.model", version: "1.0.0", api: "^1", contributes: ["model-providers@1"] },
    (host) =>
      host.contribute(modelProvidersPoint, {
        id: "test",
        models: ["model"],
        problem: null,
        facts: async () => ({ contextWindow: null, maxOutputTokens: null, inputs: [], source: "a test", prices }),
        async *stream({ messages, observe }): AsyncGenerator<ModelEvent> {
          const last = messages.at(-1)?.parts ?? [];
          const text = last.flatMap((part) => (part.type === "text" ? part.text : [])).join("");
          const isResult = last.some(({ type }) => type === "tool-result");
          if (!isResult) asked.push(text);
          const body = JSON.stringify(messages);
          const sha256 = new Bun.CryptoHasher("sha256").update(body).digest("hex");
          await observe({ method: "POST", url: "test:model", headers: {}, body, sha256, at: host.clock.now() });
          const said = isResult && afterwards !== undefined ? afterwards : await answer(text);
          if (said instanceof Error) {
            yield { type: "failure", error: { code: "FAILED", message: said.message, isRetryable: false } };
            return;
          }
          if (typeof said !== "string" && "call" in said) {
            afterwards = said.say ?? undefined;
            const call = { toolCallId: `call-${asked.length}`, name: said.call.name };
            yield { type: "tool-call-start", ...call };
            yield { type: "tool-call", ...call, input: said.call.input };
            yield { type: "finish", usage, finishReason: "tool-calls" };
            return;
          }
          yield { type: "text-start", partId: "0" };
          yield { type: "text-delta", partId: "0", text: typeof said === "string" ? said : said.text };
          if (typeof said !== "string" && "failure" in said) {
            yield { type: "failure", error: { code: "FAILED", message: said.failure.message, isRetryable: false } };
            return;
          }
          yield { type: "text-end", partId: "0" };
          yield { type: "finish", usage, finishReason: typeof said === "string" ? "stop" : said.cutReason };
        },
      }),
  );
}
