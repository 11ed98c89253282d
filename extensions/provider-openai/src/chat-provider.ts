import type { Environment, Net } from "@incipit/kernel";
import type { ModelEvent, ModelFailure, ModelProvider, ModelRequest } from "@incipit/service-contract";
import { createModel } from "./create-model.ts";
import { readCredentials } from "./credentials.ts";
import { cutOff, stopped, toFailure, type CallState } from "./failure.ts";
import { isCutOff, ModelEvents } from "./model-events.ts";
import { toolInputs, toPrompt, toTools } from "./prompt.ts";
import { requestBody } from "./request-body.ts";
import { SentMessages } from "./sent-messages.ts";
import type { Endpoint } from "./settings.ts";
import { WireCall } from "./wire-call.ts";

export interface ChatProviderOptions {
  /** The name before the slash. */
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly net: Net;
  readonly env: Environment;
}

/** One configured endpoint that speaks OpenAI's chat protocol. */
export function createChatProvider({ id, endpoint, net, env }: ChatProviderOptions): ModelProvider {
  const sentMessages = new SentMessages();
  const credentials = { provider: id, endpoint, env };
  return {
    id,
    models: [],
    get problem() {
      const read = readCredentials(credentials);
      return read.kind === "missing" ? read.problem : null;
    },
    async *stream(request) {
      const read = readCredentials(credentials);
      if (read.kind === "missing") {
        const message = `Cannot call "${id}": ${read.problem}`;
        yield { type: "failure", error: { code: "NOT_CONFIGURED", message, isRetryable: false } };
        return;
      }
      yield* call(request, { id, endpoint, net, key: read.key, sentMessages });
    },
  };
}

interface CallOptions extends Pick<ChatProviderOptions, "id" | "endpoint" | "net"> {
  readonly key: string | undefined;
  readonly sentMessages: SentMessages;
}

async function* call(request: ModelRequest, options: CallOptions): AsyncGenerator<ModelEvent> {
  const { id, endpoint, net, key, sentMessages } = options;
  const { signal } = request;
  const events = new ModelEvents();
  const before = sentMessages.find(request);
  const added = request.messages.slice(before.count);
  const wire = new WireCall({
    net,
    observe: request.observe,
    write: (body) => {
      const written = requestBody(body, { sentBefore: before.text, toolInputs: toolInputs(added) });
      sentMessages.keep(request, written.messages);
      return written.text;
    },
  });
  let hasContent = false;
  const state = (): CallState => ({ provider: id, outcome: wire.outcome, hasContent });
  const end = (failure: ModelFailure): ModelEvent => ({
    type: "failure",
    error: {
      ...failure,
      message: key === undefined ? failure.message : failure.message.replaceAll(key, "[key]"),
      isRetryable: failure.isRetryable && !events.hasShown,
    },
  });
  try {
    const model = await createModel(request.model, { provider: id, endpoint, key, fetch: wire.fetch });
    const { stream } = await model.doStream({
      prompt: toPrompt(before.text === "" ? request.systemPrompt : [], added),
      abortSignal: signal,
      ...(request.tools.length === 0 ? {} : { tools: toTools(request.tools) }),
      // Reasoning models would get "developer" here and others "system": one way for all keeps the bytes the same.
      providerOptions: { openai: { systemMessageMode: "system" } },
    });
    for await (const part of stream) {
      if (part.type === "error") {
        yield end(signal.aborted ? stopped : toFailure(part.error, state()));
        return;
      }
      if (part.type === "finish" && isCutOff(part.finishReason)) {
        yield end(cutOff(state()));
        return;
      }
      hasContent ||= part.type !== "stream-start";
      yield* events.of(part);
      if (part.type === "finish") return;
    }
    yield end(cutOff(state()));
  } catch (error) {
    yield end(signal.aborted ? stopped : toFailure(error, state()));
  }
}
