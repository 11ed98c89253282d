import { LinkedSignal, type Host, type JsonValue } from "@incipit/kernel";
import { DEFAULT_TEMPLATE, REPOSITORY_TEMPLATE, type Explain } from "@incipit/schema";
import {
  extensionManagerHandle,
  folderTrustHandle,
  hostDefaultsHandle,
  modelProvidersPoint,
  profilesHandle,
  promptSegmentsPoint,
  promptVariablesPoint,
  ServiceError,
  type PreparedPrompt,
  type PromptContext,
  type PromptHistory,
  type RequestTier,
  type SystemPromptService,
  type UsableTools,
} from "@incipit/service-contract";
import { getVariableCatalog } from "./catalog.ts";
import { checkCwd } from "./compose/check-cwd.ts";
import { compose, type Composition, type CompositionParts } from "./compose/composition.ts";
import { repositoryTemplateVariables, includesRepositoryFiles } from "./compose/repository-template.ts";
import { contributedTypes } from "./variables/contributed-types.ts";
import type { ExplainFacts } from "./stored/explain-facts.ts";
import { failureText } from "./variables/failure-text.ts";
import { fromExported, toExported } from "./stored/exported-prompt.ts";
import { compileTemplate } from "./parser.ts";
import { createPromptHistory } from "./history/prompt-history.ts";
import { PromptStore, type KeptPrompt } from "./stored/prompt-store.ts";
import { ReportedOnce } from "./variables/reported-once.ts";
import type { ConversationMessages } from "./stored/conversation-messages.ts";
import { findProfile, type NamedProfile } from "./compose/find-profile.ts";
import { explainRequestTier, type ExplainedTexts } from "./compose/explain-request-tier.ts";
import { baseOfRequest, placeRequestTexts, sentTexts } from "./compose/request-tier.ts";
import { VariableResolution } from "./resolver.ts";
import { collectSegments, segmentConflicts } from "./compose/segments.ts";
import type { Settings } from "./context/configuration.ts";
import { SharedCalls } from "./compose/shared-calls.ts";
import { templateInForce } from "./history/template-in-force.ts";
import type { StoredTemplate, TemplateStore } from "./stored/template-store.ts";
import type { DescribeFailure } from "./types.ts";
import { assertTrustedText } from "./compose/untrusted-text.ts";
import { estimateTokens, TokenCounter } from "./compose/token-counter.ts";
import { chooseBase, givenCandidate, type Base, type TierCandidate } from "./compose/tiers.ts";

const maxLogged = 20;

interface BuildRequest {
  readonly cwd: string;
  readonly conversationId: string | undefined;
  readonly model: string | undefined;
  readonly profile: string | undefined;
  readonly skills?: readonly string[] | null | undefined;
  readonly mcpServers?: readonly string[] | null | undefined;
  readonly tools?: UsableTools | undefined;
  readonly isImported?: boolean | undefined;
  readonly agent?: NamedProfile | undefined;
  readonly draft?: string;
  readonly tier?: RequestTier | undefined;
  /** A call without a conversation has none of the host's tools. */
  readonly isCall?: boolean;
  readonly isLook?: boolean;
  readonly signal: AbortSignal | undefined;
}

interface FoundCandidates {
  readonly agent: NamedProfile | undefined;
  readonly draft: string | undefined;
  readonly stored: StoredTemplate | undefined;
  readonly given: RequestTier | undefined;
  readonly isAgent: boolean;
}

/** Provides the prompt builder. All previews and constructions share one `build`. */
export function createSystemPromptService(
  host: Host,
  {
    templates,
    texts,
    settings,
  }: { readonly templates: TemplateStore; readonly texts: ConversationMessages; readonly settings: Settings },
): { readonly systemPrompt: SystemPromptService; readonly promptHistory: PromptHistory } {
  const defaults = host.getService(hostDefaultsHandle).get();
  const profiles = host.getService(profilesHandle);
  const storage = host.storage("system-prompt");
  const prompts = new PromptStore(storage);
  const contributedVariables = host.contributions(promptVariablesPoint);
  const contributedSegments = host.contributions(promptSegmentsPoint);
  const providers = host.contributions(modelProvidersPoint);
  const constructions = new SharedCalls<string>();
  const tokens = new TokenCounter();
  const reported = new ReportedOnce();
  const manager = host.getService(extensionManagerHandle);
  const folderTrust = host.getService(folderTrustHandle);
  const { untrusted, limits } = settings;

  const describeFailure: DescribeFailure = async (extension, failure) => {
    try {
      const noted = await manager.current?.noteFailure(extension, failure);
      if (noted !== undefined) return noted;
    } catch {
      // During a swap, the error is still reported.
    }
    return failureText(failure.error);
  };

  /**
   * A deleted profile keeps its previous texts instead of silently using others; an imported prompt does not count,
   * because its content is foreign.
   */
  const agentOf = async (profile: string, { cwd, conversationId, signal }: BuildRequest): Promise<NamedProfile> => {
    try {
      return await findProfile(profile, { defaults, profiles, cwd, signal });
    } catch (error) {
      if (!ServiceError.is(error) || error.code !== "PROFILE_UNKNOWN") throw error;
      const kept = conversationId === undefined ? undefined : await prompts.explain(conversationId);
      if (kept === undefined) throw error;
      const { tiers, profileAppend } = kept.explain;
      const systemPrompt = tiers.find(({ tier }) => tier === "profile")?.template ?? undefined;
      const isOwn = kept.record.isImported !== true;
      return {
        profile: {
          name: profile,
          ...(isOwn && systemPrompt !== undefined ? { systemPrompt } : {}),
          ...(isOwn && profileAppend !== undefined ? { append: profileAppend } : {}),
        },
        source: `profile "${profile}" as it was before, which is not there any more`,
      };
    }
  };

  const candidates = (
    tier: RequestTier | undefined,
    { agent, draft, stored, given, isAgent }: FoundCandidates,
    isRepository = false,
  ): readonly TierCandidate[] => [
    { tier: "request", source: "texts of the call", template: baseOfRequest(tier) },
    ...(given === undefined ? [] : [givenCandidate(given)]),
    { tier: "profile", source: agent?.source ?? "profile", template: agent?.profile.systemPrompt },
    draft === undefined
      ? {
          tier: "global",
          source: "stored template",
          template: stored?.template,
          ...(stored && { version: stored.version }),
        }
      : { tier: "global", source: "template of the preview", template: draft },
    { tier: "global", source: "system_prompt of the configuration", template: defaults.systemPrompt },
    isAgent
      ? { tier: "default", source: "default of the agent", template: "" }
      : isRepository
        ? { tier: "default", source: "built-in default, with each AGENTS.md", template: REPOSITORY_TEMPLATE }
        : { tier: "default", source: "built-in default", template: DEFAULT_TEMPLATE },
  ];

  const isAgentModel = (model: string): boolean => {
    const [id] = model.split("/", 1);
    return providers.current.some(({ value }) => value.id === id && value.runsOwnTools === true);
  };

  const build = async (asked: BuildRequest): Promise<Composition> => {
    const { cwd, conversationId, profile, isCall = false, isLook = false } = asked;
    using linked = new LinkedSignal(asked.signal, host.signal);
    const { signal } = linked;
    signal.throwIfAborted();
    const [agent, given, stored] = await Promise.all([
      asked.agent ?? (profile === undefined ? undefined : agentOf(profile, asked)),
      conversationId === undefined ? undefined : texts.get(conversationId),
      asked.draft === undefined || asked.draft === DEFAULT_TEMPLATE ? templates.get() : undefined,
    ]);
    // Previews the default template as it would render when in force.
    const isInForce = stored === undefined && defaults.systemPrompt === undefined;
    const draft = asked.draft === DEFAULT_TEMPLATE && isInForce ? undefined : asked.draft;
    const isAgent = isAgentModel(asked.model ?? agent?.profile.model ?? defaults.model);
    const found = { agent, given, draft, stored, isAgent };
    const skills = asked.skills === undefined ? agent?.profile.skills : (asked.skills ?? undefined);
    const mcpServers = asked.mcpServers === undefined ? agent?.profile.mcpServers : (asked.mcpServers ?? undefined);
    const tools = asked.tools ?? agent?.profile.tools;
    const context = {
      cwd,
      model: asked.model ?? agent?.profile.model,
      conversationId,
      hasTools: !isCall,
      ...(skills === undefined ? {} : { skills }),
    };
    const contributed = contributedVariables.current;
    const sources = { fs: host.fs, spawn: host.spawn, clock: host.clock, contributed, describeFailure };
    const variables = new VariableResolution({
      context,
      sources: { ...sources, folderTrust: folderTrust.current, untrusted, limits },
      signal,
    });
    const chooseTemplate = async (): Promise<Base> => {
      const ofFolder = chooseBase(candidates(asked.tier, found));
      if (ofFolder.tier !== "default" || isAgent || !contributedTypes(contributed).byType.has("rules"))
        return ofFolder;
      const isRepository = includesRepositoryFiles(
        await variables.resolve([compileTemplate(repositoryTemplateVariables)]),
      );
      return isRepository ? chooseBase(candidates(asked.tier, found, isRepository)) : ofFolder;
    };
    const isReplaced = baseOfRequest(asked.tier) !== undefined;
    const appendTemplate = compileTemplate(settings.appendSystemPrompt ?? "");
    const profileAppend = agent?.profile.append;
    const profileAppendTemplate = compileTemplate(profileAppend ?? "");
    const resolveBase = async (): Promise<Pick<CompositionParts, "base" | "baseTemplate" | "resolved">> => {
      const base = await chooseTemplate();
      // Texts of a request are not templates.
      const baseTemplate = compileTemplate(base.tier === "request" ? "" : base.template);
      const templatesOfAll = [baseTemplate, profileAppendTemplate, appendTemplate];
      return { base, baseTemplate, resolved: await variables.resolve(templatesOfAll) };
    };
    const { model, hasTools } = context;
    const { clock } = host;
    const [{ base, baseTemplate, resolved }, segments] = await Promise.all([
      resolveBase(),
      collectSegments(contributedSegments.current, {
        conversationId: conversationId ?? "",
        profile,
        cwd,
        hasTools,
        ...(skills === undefined ? {} : { skills }),
        ...(mcpServers === undefined ? {} : { mcpServers }),
        ...(tools === undefined ? {} : { tools: { allowed: tools.allowed, denied: tools.denied } }),
        ...(asked.isImported === undefined ? {} : { isImported: asked.isImported }),
        isLook,
        clock,
        limits,
        describeFailure,
        signal,
      }),
    ]);
    const conflicts = [...contributedTypes(contributed).conflicts, ...segmentConflicts(segments)];
    const append = settings.appendSystemPrompt;
    const behindBase = given === undefined || isReplaced ? [] : sentTexts(given);
    const all = { baseTemplate, behindBase, profileAppend, profileAppendTemplate, append, appendTemplate };
    return compose({ model, base, ...all, resolved, segments, conflicts });
  };

  /** Rejects untrusted text with `untrusted = "ask"`. */
  const buildToSend = async (request: BuildRequest): Promise<Composition> => {
    const composition = await build(request);
    if (untrusted === "ask") assertTrustedText(composition.explain);
    return composition;
  };

  const resolveTexts = async (request: BuildRequest): Promise<ExplainedTexts> =>
    explainRequestTier(await build(request), request.tier);

  const logProblems = (conversationId: string, { variables, segments, conflicts }: ExplainFacts): void => {
    const absent: Record<string, JsonValue> = {};
    const names = variables.filter(({ kind }) => kind === "absent");
    for (const { type, name, reason } of names.slice(0, maxLogged)) absent[`${type}:${name}`] = reason;
    if (names.length > 0) {
      host.log.info("Some variables of a system prompt are absent", {
        conversationId,
        count: names.length,
        absent,
      });
    }
    for (const { type, name, extension, reason, detail } of names) {
      if (extension === null || detail === null || !reported.isNew(type, name, extension, detail)) continue;
      host.log.warn("A variable of an extension is absent", {
        variable: `${type}:${name}`,
        extension,
        reason,
        detail,
      });
    }
    for (const { id, extension, detail } of segments.filter(({ kind }) => kind === "failed")) {
      if (!reported.isNew(id, extension, detail)) continue;
      host.log.warn("A segment of a system prompt was omitted", {
        conversationId,
        segment: id,
        extension,
        detail,
      });
    }
    for (const { point, name, extension, detail } of conflicts) {
      if (reported.isNew(point, name, extension, detail))
        host.log.warn("The prompt segments of an extension are not used", { point, name, extension, detail });
    }
  };

  const withTokens = async (text: string, facts: Omit<Explain, "tokens">): Promise<Explain> => ({
    ...facts,
    tokens: await tokens.count(text, { model: facts.model, sha256: facts.sha256 }),
  });

  const prepare = async (
    conversationId: string,
    cwd: string,
    context: PromptContext = {},
  ): Promise<PreparedPrompt> => {
    const { reason = "first-turn", by = null, note = null, signal } = context;
    const { text, tailStart, explain } = await buildToSend(requestOf(conversationId, cwd, context));
    logProblems(conversationId, explain);
    const { sha256, sizeBytes, templateVersion } = explain;
    const constructedAt = new Date(host.clock.now()).toISOString();
    const kept: KeptPrompt = {
      text,
      record: { sha256, sizeBytes, reason, constructedAt, templateVersion, tailStart, by, note },
    };
    const batch = await prompts.batch(conversationId, kept, explain);
    signal?.throwIfAborted();
    return { text, sha256, sizeBytes, batch };
  };

  const systemPrompt: SystemPromptService = {
    prepare,

    async assertTrusted(conversationId, cwd, context = {}) {
      if (untrusted === "ask") await buildToSend({ ...requestOf(conversationId, cwd, context), isLook: true });
    },

    construct(conversationId, cwd, context = {}) {
      const work = async (signal: AbortSignal): Promise<string> => {
        const { text, batch } = await prepare(conversationId, cwd, { ...context, signal });
        await prompts.commit(batch);
        return text;
      };
      return constructions.run(conversationId, work, context.signal);
    },

    async get(conversationId) {
      return (await prompts.get(conversationId))?.text ?? null;
    },

    async describe(conversationId) {
      const kept = await prompts.get(conversationId);
      if (kept === undefined) {
        const nothing = { systemPrompt: null, sha256: null, reason: null, constructedAt: null };
        return { ...nothing, templateVersion: null, by: null, note: null };
      }
      const { sha256, reason, constructedAt, templateVersion, by, note } = kept.record;
      const facts = { sha256, reason, constructedAt, templateVersion, by, note };
      return { systemPrompt: kept.text, ...facts, ...importMark(kept) };
    },

    async explain(conversationId, { areTokensEstimated = false } = {}) {
      const kept = await prompts.explain(conversationId);
      if (kept === undefined) return null;
      const explain = { ...kept.explain, ...importMark(kept) };
      return areTokensEstimated
        ? { ...explain, tokens: estimateTokens(kept.text) }
        : withTokens(kept.text, explain);
    },

    async exportPrompt(conversationId) {
      const kept = await prompts.explain(conversationId);
      if (kept === undefined) return null;
      return toExported(kept, { explain: kept.explain, earlier: await prompts.earlier(conversationId) });
    },

    async importPrompt(conversationId, exported) {
      const { kept, explain } = fromExported(exported);
      return prompts.batch(conversationId, kept, explain);
    },

    async copyPrompt(fromConversationId, { to }) {
      const kept = await prompts.explain(fromConversationId);
      if (kept === undefined) return null;
      const { explain, ...prompt } = kept;
      return prompts.batch(to, { ...prompt, earlier: await prompts.earlier(fromConversationId) }, explain);
    },

    async forget(conversationId) {
      await texts.forget(conversationId);
      await prompts.forget(conversationId);
    },

    async preview(request, { defaultCwd, defaultModel, signal }) {
      checkCwd(request);
      const {
        template: draft,
        cwd = defaultCwd,
        profile,
        conversationId,
        system,
        systemMode: mode = "replace",
      } = request;
      const agent =
        profile === undefined ? undefined : await findProfile(profile, { defaults, profiles, cwd, signal });
      const model = request.model ?? agent?.profile.model ?? defaultModel;
      const tier =
        system === undefined ? undefined : { system: typeof system === "string" ? [system] : system, mode };
      const common = { cwd, conversationId, model, profile, agent, tier, isLook: true, signal };
      const { systemTexts, explain } = await resolveTexts(draft === undefined ? common : { ...common, draft });
      const text = systemTexts.join("\n\n");
      return { systemPrompt: text, systemTexts: [...systemTexts], explain: await withTokens(text, explain) };
    },

    async resolveCall(cwd, tier, { model, profile, signal } = {}) {
      const call = { cwd, conversationId: undefined, model, profile, tier, isCall: true, signal };
      return explainRequestTier(await buildToSend(call), tier);
    },

    async applyRequestTier(conversationId, cwd, tier, context = {}) {
      const kept = await prompts.get(conversationId);
      if (kept !== undefined) {
        return placeRequestTexts(tier, { prompt: kept.text, tailStart: kept.record.tailStart });
      }
      const { text, tailStart } = await buildToSend(requestOf(conversationId, cwd, context));
      return placeRequestTexts(tier, { prompt: text, tailStart });
    },

    async getTemplate() {
      return templateInForce((await templates.head())?.template, defaults.systemPrompt);
    },

    async setTemplate(template) {
      await templates.set(template, { author: null, note: null });
    },

    async deleteTemplate() {
      await templates.replace(null, { author: null, note: null });
    },

    getVariables: async () => getVariableCatalog(contributedVariables.current),
  };
  const promptHistory = createPromptHistory({
    prompts,
    tokens,
    build: (conversationId, cwd, context) => build({ ...requestOf(conversationId, cwd, context), isLook: true }),
  });
  return { systemPrompt, promptHistory };
}

function requestOf(
  conversationId: string,
  cwd: string,
  { model, profile, skills, mcpServers, tools, isImported, signal }: PromptContext,
): BuildRequest {
  return { cwd, conversationId, model, profile, skills, mcpServers, tools, isImported, signal };
}

function importMark({ record: { isImported } }: KeptPrompt): Pick<Explain, "isImported"> {
  return isImported === undefined ? {} : { isImported };
}
