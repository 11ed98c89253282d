import { defineExtension, type Extension } from "@incipit/kernel";
import { modelProvidersPoint, toolsPoint, type ModelEvent } from "@incipit/service-contract";

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: null, cacheWriteTokens: null };

export function askingTool(
  ran: string[],
  { input = { colour: "red" } }: { readonly input?: object } = {},
): Extension {
  return defineExtension(
    { id: "test.tool", version: "1.0.0", api: "^1", contributes: ["model-providers@1", "tools@1"] },
    (host) => {
      host.contribute(toolsPoint, {
        name: "paint",
        description: "Paints the wall",
        inputSchema: { type: "object", properties: { colour: { type: "string" } } },
        approval: "ask",
        async execute(input) {
          ran.push(JSON.stringify(input));
          return "painted";
        },
      });
      host.contribute(modelProvidersPoint, {
        id: "tool",
        models: ["model"],
        problem: null,
        async *stream({ messages, observe }): AsyncGenerator<ModelEvent> {
          const body = JSON.stringify(messages);
          const sha256 = new Bun.CryptoHasher("sha256").update(body).digest("hex");
          await observe({ method: "POST", url: "test:tool", headers: {}, body, sha256, at: host.clock.now() });
          if (messages.at(-1)?.role === "user") {
            yield {
              type: "tool-call",
              toolCallId: `call${messages.length}`,
              name: "paint",
              input: JSON.stringify(input),
            };
            yield { type: "finish", usage, finishReason: "tool-calls" };
            return;
          }
          yield { type: "text-start", partId: "0" };
          yield { type: "text-delta", partId: "0", text: "Done." };
          yield { type: "text-end", partId: "0" };
          yield { type: "finish", usage, finishReason: "stop" };
        },
      });
    },
  );
}
