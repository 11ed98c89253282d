import { brokenOff, cutOff, failureEvent, stopped, tooLarge, type CallState } from "../failures/call-failure.ts";
import { maxArgumentsLength, maxSilentParts } from "../replies/body-bounds.ts";
import { WireCall } from "../requests/wire-call.ts";
import type { CallAddress } from "../endpoint/endpoint-provider.ts";
import type { ModelEvent, ModelFailure, ModelRequest } from "@incipit/service-contract";
import type { AiSdkProviderOptions } from "./ai-sdk-provider.ts";
import { toCallOptions } from "./call-options.ts";
import { toFailure } from "./failure.ts";
import type { ModelCache } from "./model-cache.ts";
import { isCutOff, ModelEvents } from "./model-events.ts";
import { packageFetch } from "./package-fetch.ts";
import { allowedTools, toolInputs, toPrompt, toTools } from "./prompt.ts";
import { requestBody } from "./request-body.ts";
import type { SentMessages } from "./sent-messages.ts";
import { nativeToolSearch } from "./native-tool-search.ts";

export interface ModelCallOptions extends CallAddress, Pick<AiSdkProviderOptions, "id" | "vendor" | "net"> {
  readonly sentMessages: SentMessages;
  readonly models: ModelCache;
}

export async function* modelCall(given: ModelRequest, options: ModelCallOptions): AsyncGenerator<ModelEvent> {
  const { id, vendor, baseUrl, net, key, headers, sentMessages, models, facts } = options;
  const { lookedUp: _, ...rest } = given;
  const lookedUp = nativeToolSearch(given, vendor);
  const request: ModelRequest = lookedUp === undefined ? rest : { ...rest, lookedUp };
  const { model: name, signal } = request;
  const refusal = vendor.refusal?.(request);
  if (refusal !== undefined) {
    yield {
      type: "failure",
      error: { code: "BAD_REQUEST", message: `Cannot call "${id}": ${refusal}`, isRetryable: false },
    };
    return;
  }
  const events = new ModelEvents(vendor);
  const before = sentMessages.find(request);
  const added = request.messages.slice(before.count);
  const wire = new WireCall({ key, keyHeader: vendor.keyHeader, headers, net, observe: request.observe });
  const fetch = packageFetch({
    wire,
    vendor,
    write: (body) => {
      const written = requestBody(body, {
        growingList: vendor.growingList,
        fields: request.settings?.vendorFields ?? {},
        sentBefore: before.text,
        toolInputs: vendor.toolInput === "text" ? toolInputs(added) : [],
      });
      sentMessages.keep(request, written.list);
      return written.text;
    },
  });
  let hasContent = false;
  let argumentsLength = 0;
  let callsLength = 0;
  let silentParts = 0;
  const { hideKey } = wire;
  const state = (): CallState => ({ provider: id, outcome: wire.outcome, hasContent, hideKey });
  const end = (failure: ModelFailure): ModelEvent => failureEvent(failure, { hideKey, hasShown: events.hasShown });
  try {
    const hasWrittenSystem = vendor.systemPlace === "list" && before.text !== "";
    const prompt = toPrompt({
      systemPrompt: hasWrittenSystem ? [] : request.systemPrompt,
      messages: added,
      toolInput: vendor.toolInput,
      callIds: vendor.callIds,
      partOptions: vendor.partOptions?.(request) ?? new Map(),
      searchResult: (toolCallId) => {
        const found = lookedUp?.found.get(toolCallId);
        return found === undefined ? undefined : vendor.lookup?.result(found);
      },
      takesReasoning: (message) => vendor.takesReasoning?.(message, request) ?? true,
    });
    const known = await facts(name);
    const tools = vendor.hasAllowedTools === true ? request.tools : allowedTools(request);
    const { stream } = await models.use({ name, baseUrl, fetch }, (model) =>
      model.doStream({
        ...vendor.callOptions?.(request, { provider: id, facts: known }),
        ...toCallOptions(request.settings),
        prompt: vendor.amendPrompt?.(prompt, { request, from: before.count }) ?? prompt,
        abortSignal: signal,
        ...(tools.length === 0
          ? {}
          : { tools: toTools(tools, { named: lookedUp?.named ?? [], options: vendor.lookup?.definitionOptions }) }),
      }),
    );
    for await (const part of stream) {
      if (part.type === "error") {
        yield end(signal.aborted ? stopped : toFailure(part.error, state()));
        return;
      }
      if (part.type === "finish" && (isCutOff(part.finishReason) || events.hasOpenCall)) {
        // A retry would reach the output limit again.
        const isLimit = part.finishReason.unified === "length";
        yield end(isLimit ? { ...cutOff(state()), isRetryable: false } : cutOff(state()));
        return;
      }
      if (part.type === "finish" && part.finishReason.unified === "error") {
        yield end(brokenOff(state(), part.finishReason.raw));
        return;
      }
      if (part.type === "tool-input-delta") argumentsLength += part.delta.length;
      if (part.type === "tool-call") callsLength += part.input.length; // Some calls arrive complete, without deltas.
      const told = events.of(part);
      silentParts = told.length === 0 ? silentParts + 1 : 0;
      if (Math.max(argumentsLength, callsLength) > maxArgumentsLength || silentParts > maxSilentParts) {
        yield end(tooLarge(id));
        return;
      }
      hasContent ||= part.type !== "stream-start" && part.type !== "raw";
      yield* told;
      if (part.type === "finish") return;
    }
    yield end(cutOff(state()));
  } catch (error) {
    yield end(signal.aborted ? stopped : toFailure(error, state()));
  }
}
