import { DEFAULT_TEMPLATE, maxTemplateBytes, type TemplateInForce } from "@incipit/schema";
import {
  ServiceError,
  type ConditionalChange,
  type PromptTemplates,
  type SystemPromptService,
  type TemplateCondition,
} from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import type { Context } from "hono";
import { answer } from "../answer/answer.ts";
import { withEtag } from "../answer/with-etag.ts";
import { parseEntityTags } from "../request/entity-tags.ts";
import { param, type Handlers } from "../request/handler.ts";
import { check, readBody } from "../request/read-body.ts";
import { need, type Services } from "../context/services.ts";

type TemplateRoute =
  | "getSystemPrompt"
  | "setSystemPrompt"
  | "deleteSystemPrompt"
  | "listTemplateVersions"
  | "getTemplateVersion"
  | "diffTemplateVersions"
  | "restoreTemplateVersion"
  | "lintTemplate"
  | "listTemplateFiles";

const defaultAuthor = "http";

const isUntold = { version: null, etag: null } as const;

/** Without a prompt builder, only the default template is shown; a builder without versions has one template. */
export function templateHandlers({
  defaults,
  systemPrompt,
  promptTemplates,
  clock,
}: Services): Handlers<TemplateRoute> {
  const builder = (): SystemPromptService => need(systemPrompt, "prompt builder");
  const templates = (): PromptTemplates => need(promptTemplates, "prompt builder that keeps versions");

  const inForce = async (): Promise<TemplateInForce> => {
    if (promptTemplates.current !== undefined) return promptTemplates.current.inForce();
    if (systemPrompt.current !== undefined) return { ...(await systemPrompt.current.getTemplate()), ...isUntold };
    if (defaults.systemPrompt !== undefined)
      return { template: defaults.systemPrompt, source: "config", ...isUntold };
    return { template: DEFAULT_TEMPLATE, source: "default", ...isUntold };
  };

  /** `undefined` if missing and not required by the request. */
  const versioned = (condition: TemplateCondition | undefined): PromptTemplates | undefined =>
    condition === undefined ? promptTemplates.current : templates();

  return {
    getSystemPrompt: async () => {
      const found = await inForce();
      return withEtag(answer(routes.getSystemPrompt, found), found);
    },

    setSystemPrompt: async (context, signal) => {
      builder();
      const condition = conditionOf(context);
      const { template, ...said } = await readBody(context.req.raw, routes.setSystemPrompt.body, { clock, signal });
      if (Buffer.byteLength(template) > maxTemplateBytes) {
        const message = `The "template" is larger than ${maxTemplateBytes} bytes; move parts to files ([file:PATH])`;
        throw new ServiceError("TEMPLATE_TOO_LARGE", message);
      }
      const keeper = versioned(condition);
      if (keeper === undefined) {
        await builder().setTemplate(template);
        return answer(routes.setSystemPrompt, { template, ...isUntold });
      }
      const stored = await keeper.set(template, changeOf(said, condition));
      const { version, etag } = stored;
      return withEtag(answer(routes.setSystemPrompt, { template: stored.template, version, etag }), stored);
    },

    deleteSystemPrompt: async (context) => {
      builder();
      const condition = conditionOf(context);
      const said = check(routes.deleteSystemPrompt.query, context.req.query());
      const keeper = versioned(condition);
      if (keeper === undefined) await builder().deleteTemplate();
      const left = keeper === undefined ? await inForce() : await keeper.delete(changeOf(said, condition));
      return withEtag(answer(routes.deleteSystemPrompt, left), left);
    },

    listTemplateVersions: async (context) => {
      const service = templates();
      return answer(
        routes.listTemplateVersions,
        await service.versions(check(routes.listTemplateVersions.query, context.req.query())),
      );
    },

    getTemplateVersion: async (context) => {
      const service = templates();
      return answer(routes.getTemplateVersion, await service.version(versionOf(context)));
    },

    diffTemplateVersions: async (context) => {
      const service = templates();
      const version = versionOf(context);
      const { against } = check(routes.diffTemplateVersions.query, context.req.query());
      return answer(
        routes.diffTemplateVersions,
        await service.diff(version, against === undefined ? {} : { against: Number(against) }),
      );
    },

    restoreTemplateVersion: async (context, signal) => {
      const service = templates();
      const version = versionOf(context);
      const condition = conditionOf(context);
      const said = await readBody(context.req.raw, routes.restoreTemplateVersion.body, {
        clock,
        signal,
        isOptional: true,
      });
      const stored = await service.restore(version, changeOf(said, condition));
      return withEtag(answer(routes.restoreTemplateVersion, stored), stored);
    },

    lintTemplate: async (context, signal) => {
      const service = templates();
      const request = await readBody(context.req.raw, routes.lintTemplate.body, {
        clock,
        signal,
        isOptional: true,
      });
      return answer(
        routes.lintTemplate,
        await service.lint(request, {
          defaultCwd: defaults.cwd,
          defaultModel: defaults.model,
          signal: AbortSignal.any([signal, context.req.raw.signal]),
        }),
      );
    },

    listTemplateFiles: async (context, signal) => {
      const service = templates();
      return answer(
        routes.listTemplateFiles,
        await service.files(check(routes.listTemplateFiles.query, context.req.query()), {
          defaultCwd: defaults.cwd,
          signal: AbortSignal.any([signal, context.req.raw.signal]),
        }),
      );
    },
  };
}

function changeOf(
  { author = defaultAuthor, note }: { readonly author?: string | undefined; readonly note?: string | undefined },
  condition: TemplateCondition | undefined,
): ConditionalChange {
  return {
    author,
    ...(note === undefined ? {} : { note }),
    ...(condition === undefined ? {} : { condition }),
  };
}

function conditionOf(context: Context): TemplateCondition | undefined {
  const ifMatch = context.req.header("if-match");
  const ifNoneMatch = context.req.header("if-none-match");
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return {
    ...(ifMatch === undefined ? {} : { ifMatch: parseEntityTags("If-Match", ifMatch) }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch: parseEntityTags("If-None-Match", ifNoneMatch) }),
  };
}

function versionOf(context: Context): number {
  const given = param(context, "v");
  if (/^[1-9]\d{0,11}$/.test(given)) return Number(given);
  throw new ServiceError(
    "INVALID_REQUEST",
    `"${given}" is not a version: it must be a number from GET /system-prompt/versions`,
  );
}
