import { defineExtension, type Extension } from "@incipit/kernel";
import { modelProvidersPoint, type ModelEvent } from "@incipit/service-contract";

/** What the model says to a message. An error: the call fails. */
export type Answer = (asked: string) => string | Error | Promise<string>;

const usage = { inputTokens: 8, outputTokens: 2, cacheReadTokens: null, cacheWriteTokens: null };

/** The provider of `test/model`, which notes what it was asked, and takes 10 tokens for each answer; as a rule it is quiet. */
export function answeringModel(asked: string[], answer: Answer = () => "HEARTBEAT_OK"): Extension {
  return defineExtension(
    { id: "test.model", version: "1.0.0", api: "^1", contributes: ["model-providers@1"] },
    (host) =>
      host.contribute(modelProvidersPoint, {
        id: "test",
        models: ["model"],
        problem: null,
        async *stream({ messages, observe }): AsyncGenerator<ModelEvent> {
          const last = messages.at(-1)?.parts.find((part) => part.type === "text");
          const text = last?.type === "text" ? last.text : "";
          asked.push(text);
          const body = JSON.stringify(messages);
          const sha256 = new Bun.CryptoHasher("sha256").update(body).digest("hex");
          await observe({ method: "POST", url: "test:model", headers: {}, body, sha256, at: host.clock.now() });
          const said = await answer(text);
          if (said instanceof Error) {
            yield { type: "failure", error: { code: "FAILED", message: said.message, isRetryable: false } };
            return;
          }
          yield { type: "text-start", partId: "0" };
          yield { type: "text-delta", partId: "0", text: said };
          yield { type: "text-end", partId: "0" };
          yield { type: "finish", usage, finishReason: "stop" };
        },
      }),
  );
}
