import { staticVariables } from "@incipit/schema";
import type { SystemPromptService } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import type { Handlers } from "../request/handler.ts";
import { readBody } from "../request/read-body.ts";
import { need, type Services } from "../context/services.ts";

type PromptRoute = "getSystemPromptVariables" | "previewSystemPrompt";

export function promptHandlers({ defaults, systemPrompt, clock }: Services): Handlers<PromptRoute> {
  const builder = (): SystemPromptService => need(systemPrompt, "prompt builder");
  return {
    getSystemPromptVariables: async () => {
      const variables = (await systemPrompt.current?.getVariables()) ?? staticVariables;
      return answer(routes.getSystemPromptVariables, { variables });
    },
    previewSystemPrompt: async (context, signal) => {
      const service = builder();
      const request = await readBody(context.req.raw, routes.previewSystemPrompt.body, { clock, signal });
      return answer(
        routes.previewSystemPrompt,
        await service.preview(request, {
          defaultCwd: defaults.cwd,
          defaultModel: defaults.model,
          signal: AbortSignal.any([signal, context.req.raw.signal]),
        }),
      );
    },
  };
}
