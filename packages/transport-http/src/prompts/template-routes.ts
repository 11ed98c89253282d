import { DEFAULT_TEMPLATE, maxTemplateBytes, type TemplateInForce } from "@incipit/schema";
import {
  ServiceError,
  type ConditionalChange,
  type PromptTemplates,
  type TemplateCondition,
} from "@incipit/service-contract";
import { withEtag } from "../answer/with-etag.ts";
import { parseEntityTags } from "../request/entity-tags.ts";
import type { AnyCall, Handlers } from "../request/route-call.ts";
import { need, type Services } from "../context/services.ts";

const defaultAuthor = "http";

const isUntold = { version: null, etag: null } as const;

/** Without a prompt builder, only the default template is shown; a builder without versions has one template. */
export function templateHandlers({ defaults, systemPrompt, promptTemplates }: Services) {
  const builder = () => need(systemPrompt, "prompt builder");
  const templates = () => need(promptTemplates, "prompt builder that keeps versions");

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
    getSystemPrompt: async (call) => {
      const found = await inForce();
      return withEtag(call.answer(found), found);
    },

    setSystemPrompt: async (call) => {
      builder();
      const condition = conditionOf(call);
      const { template, ...said } = await call.body();
      if (Buffer.byteLength(template) > maxTemplateBytes) {
        const message = `The "template" is larger than ${maxTemplateBytes} bytes; move parts to files ([file:PATH])`;
        throw new ServiceError("TEMPLATE_TOO_LARGE", message);
      }
      const keeper = versioned(condition);
      if (keeper === undefined) {
        await builder().setTemplate(template);
        return call.answer({ template, ...isUntold });
      }
      const stored = await keeper.set(template, changeOf(said, condition));
      const { version, etag } = stored;
      return withEtag(call.answer({ template: stored.template, version, etag }), stored);
    },

    deleteSystemPrompt: async (call) => {
      builder();
      const condition = conditionOf(call);
      const said = call.query();
      const keeper = versioned(condition);
      if (keeper === undefined) await builder().deleteTemplate();
      const left = keeper === undefined ? await inForce() : await keeper.delete(changeOf(said, condition));
      return withEtag(call.answer(left), left);
    },

    listTemplateVersions: async (call) => {
      const service = templates();
      return call.answer(await service.versions(call.query()));
    },

    getTemplateVersion: async (call) => {
      const service = templates();
      return call.answer(await service.version(versionOf(call)));
    },

    diffTemplateVersions: async (call) => {
      const service = templates();
      const version = versionOf(call);
      const { against } = call.query();
      return call.answer(await service.diff(version, against === undefined ? {} : { against: Number(against) }));
    },

    restoreTemplateVersion: async (call) => {
      const service = templates();
      const version = versionOf(call);
      const condition = conditionOf(call);
      const said = await call.body({ isOptional: true });
      const stored = await service.restore(version, changeOf(said, condition));
      return withEtag(call.answer(stored), stored);
    },

    lintTemplate: async (call) => {
      const service = templates();
      const request = await call.body({ isOptional: true });
      return call.answer(
        await service.lint(request, {
          defaultCwd: defaults.cwd,
          defaultModel: defaults.model,
          signal: call.signal,
        }),
      );
    },

    listTemplateFiles: async (call) => {
      const service = templates();
      return call.answer(
        await service.files(call.query(), {
          defaultCwd: defaults.cwd,
          signal: call.signal,
        }),
      );
    },
  } satisfies Partial<Handlers>;
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

function conditionOf(call: AnyCall): TemplateCondition | undefined {
  const ifMatch = call.header("if-match");
  const ifNoneMatch = call.header("if-none-match");
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return {
    ...(ifMatch === undefined ? {} : { ifMatch: parseEntityTags("If-Match", ifMatch) }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch: parseEntityTags("If-None-Match", ifNoneMatch) }),
  };
}

function versionOf(call: AnyCall): number {
  const given = call.param("v");
  if (/^[1-9]\d{0,11}$/.test(given)) return Number(given);
  throw new ServiceError(
    "INVALID_REQUEST",
    `"${given}" is not a version: it must be a number from GET /system-prompt/versions`,
  );
}
