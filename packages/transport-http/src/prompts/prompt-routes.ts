import { staticVariables } from "@incipit/schema";
import type { Handlers } from "../request/route-call.ts";
import { need, type Services } from "../context/services.ts";

export function promptHandlers({ defaults, systemPrompt }: Services) {
  const builder = () => need(systemPrompt, "prompt builder");
  return {
    getSystemPromptVariables: async (call) => {
      const variables = (await systemPrompt.current?.getVariables()) ?? staticVariables;
      return call.answer({ variables });
    },
    previewSystemPrompt: async (call) => {
      const service = builder();
      const request = await call.body();
      return call.answer(
        await service.preview(request, {
          defaultCwd: defaults.cwd,
          defaultModel: defaults.model,
          signal: call.signal,
        }),
      );
    },
  } satisfies Partial<Handlers>;
}
