import { ServiceError, type SystemPromptService } from "@incipit/service-contract";
import {
  DEFAULT_TEMPLATE,
  maxTemplateBytes,
  routes,
  staticVariables,
  type SystemPromptTemplateResponse,
} from "@incipit/transport-contract";
import { answer } from "./answer.ts";
import type { Handlers } from "./handler.ts";
import { readBody } from "./read-body.ts";
import { need, type Services } from "./services.ts";

type PromptRoute =
  | "getSystemPrompt"
  | "setSystemPrompt"
  | "deleteSystemPrompt"
  | "getSystemPromptVariables"
  | "previewSystemPrompt";

/** Without a prompt builder, what would be in force is still shown; nothing can be changed or resolved. */
export function promptHandlers({ settings, systemPrompt, clock }: Services): Handlers<PromptRoute> {
  const builder = (): SystemPromptService => need(systemPrompt, "prompt builder");
  const current = async (): Promise<SystemPromptTemplateResponse> => {
    if (systemPrompt.current !== undefined) return systemPrompt.current.getTemplate();
    if (settings.systemPrompt !== undefined) return { template: settings.systemPrompt, source: "config" };
    return { template: DEFAULT_TEMPLATE, source: "default" };
  };
  return {
    getSystemPrompt: async () => answer(routes.getSystemPrompt, await current()),
    setSystemPrompt: async (context) => {
      const service = builder();
      const { template } = await readBody(context.req.raw, routes.setSystemPrompt.body, clock);
      if (Buffer.byteLength(template) > maxTemplateBytes) {
        const message = `The "template" is larger than ${maxTemplateBytes} bytes; move parts of it to files ([file:PATH])`;
        throw new ServiceError("TEMPLATE_TOO_LARGE", message);
      }
      await service.setTemplate(template);
      return answer(routes.setSystemPrompt, { template });
    },
    deleteSystemPrompt: async () => {
      await builder().deleteTemplate();
      return answer(routes.deleteSystemPrompt, await current());
    },
    getSystemPromptVariables: async () => {
      const variables = (await systemPrompt.current?.getVariables()) ?? staticVariables;
      return answer(routes.getSystemPromptVariables, { variables });
    },
    previewSystemPrompt: async (context, signal) => {
      const service = builder();
      const request = await readBody(context.req.raw, routes.previewSystemPrompt.body, clock);
      const { defaultCwd, defaultModel } = settings;
      return answer(
        routes.previewSystemPrompt,
        await service.preview(request, {
          defaultCwd,
          defaultModel,
          signal: AbortSignal.any([signal, context.req.raw.signal]),
        }),
      );
    },
  };
}
