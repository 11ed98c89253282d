import type { Host } from "@incipit/kernel";
import { DEFAULT_TEMPLATE, modelFactsSchema } from "@incipit/schema";
import {
  hostDefaultsHandle,
  modelProvidersPoint,
  profilesHandle,
  type PromptTemplates,
  type SystemPromptService,
} from "@incipit/service-contract";
import { findProfile } from "../compose/find-profile.ts";
import { withDeadline } from "../variables/deadline.ts";
import { checkCwd } from "../compose/check-cwd.ts";
import { checkTemplateSize } from "../stored/template-store.ts";

/** Facts should be in memory; slow providers are skipped. */
const factsTimeoutMs = 2_000;

export function createLint(
  host: Host,
  { preview, getVariables }: Pick<SystemPromptService, "preview" | "getVariables">,
): PromptTemplates["lint"] {
  const defaults = host.getService(hostDefaultsHandle).get();
  const { promptRefresh } = defaults;
  const profiles = host.getService(profilesHandle);
  const providers = host.contributions(modelProvidersPoint);

  const contextWindowOf = async (id: string, signal: AbortSignal): Promise<number | undefined> => {
    const slash = id.indexOf("/");
    const provider = providers.current.find(({ value }) => value.id === id.slice(0, slash))?.value;
    if (provider?.facts === undefined) return undefined;
    try {
      const work = async (): ReturnType<NonNullable<typeof provider.facts>> =>
        provider.facts?.(id.slice(slash + 1));
      const facts = await withDeadline(work, { clock: host.clock, timeoutMs: factsTimeoutMs, signal });
      if (facts.kind !== "done" || facts.value === undefined) return undefined;
      return modelFactsSchema.parse(facts.value).contextWindow ?? undefined;
    } catch (error) {
      signal.throwIfAborted();
      host.log.warn("A provider could not say how large the window of a model is", {
        model: id,
        error: error instanceof Error ? error.message : String(error),
      });
      return undefined;
    }
  };

  return async ({ template, cwd, model, profile }, { defaultCwd, defaultModel, signal = host.signal }) => {
    checkCwd({ cwd });
    if (template !== undefined) checkTemplateSize(template);
    const within = { defaults, profiles, cwd: cwd ?? defaultCwd, signal };
    const ofProfile = profile === undefined ? undefined : (await findProfile(profile, within)).profile;
    const modelId = model ?? ofProfile?.model ?? defaultModel;
    // A profile's own prompt would override the linted template.
    const isPromptOfProfile = template === undefined || ofProfile?.systemPrompt === undefined;
    const rendered = await preview(
      {
        ...(template === undefined ? {} : { template }),
        ...(cwd === undefined ? {} : { cwd }),
        ...(profile === undefined || !isPromptOfProfile ? {} : { profile }),
        model: modelId,
      },
      { defaultCwd, defaultModel, signal },
    );
    const { explain } = rendered;
    const winner = explain.tiers.find(({ won }) => won);
    // The default template may have been replaced by its text for repositories.
    const isInForce = template === undefined || (template === DEFAULT_TEMPLATE && winner?.tier === "default");
    const text = isInForce ? (winner?.template ?? "") : template;
    const contextWindow = await contextWindowOf(modelId, signal);
    const { lintTemplate } = await import("./lint.ts"); // A host that only builds prompts does not need it.
    const { findings, omitted } = lintTemplate(text, {
      catalog: await getVariables(),
      promptRefresh,
      rendered,
      ...(contextWindow === undefined ? {} : { contextWindow }),
    });
    const source = template === undefined ? (winner?.source ?? "") : "the request";
    const { sizeBytes, tokens } = explain;
    return { findings, omitted, source, sizeBytes, tokens };
  };
}
