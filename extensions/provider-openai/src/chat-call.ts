import type { ModelEvent, ModelFailure, ModelRequest } from "@incipit/service-contract";
import type { ChatProviderOptions } from "./chat-provider.ts";
import { cutOff, stopped, toFailure, tooLarge, type CallState } from "./failure.ts";
import type { KeptModels } from "./kept-models.ts";
import { takesReasoning } from "./model-abilities.ts";
import { isCutOff, ModelEvents } from "./model-events.ts";
import { toolInputs, toPrompt, toTools } from "./prompt.ts";
import { requestBody } from "./request-body.ts";
import type { SentMessages } from "./sent-messages.ts";
import { WireCall } from "./wire-call.ts";

export interface ChatCallOptions extends Pick<ChatProviderOptions, "id" | "endpoint" | "net"> {
  readonly key: string | undefined;
  readonly sentMessages: SentMessages;
  readonly models: KeptModels;
}

/** Arguments of the calls of one reply, in UTF-16 units: they are kept until its end. */
const maxArgumentsLength = 8 * 1_048_576;

/** One request of one model, from what it adds to the request before to the end of the reply. */
export async function* chatCall(request: ModelRequest, options: ChatCallOptions): AsyncGenerator<ModelEvent> {
  const { id, endpoint, net, key, sentMessages, models } = options;
  const { signal } = request;
  const events = new ModelEvents();
  const before = sentMessages.find(request);
  const added = request.messages.slice(before.count);
  const wire = new WireCall({
    key,
    net,
    observe: request.observe,
    write: (body) => {
      const written = requestBody(body, { sentBefore: before.text, toolInputs: toolInputs(added) });
      sentMessages.keep(request, written.messages);
      return written.text;
    },
  });
  let hasContent = false;
  let argumentsLength = 0;
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
    const { stream } = await models.use(request.model, wire.fetch, (model) =>
      model.doStream({
        prompt: toPrompt({
          systemPrompt: before.text === "" ? request.systemPrompt : [],
          messages: added,
          hasReasoning: takesReasoning({ kind: endpoint.kind, model: request.model }),
        }),
        abortSignal: signal,
        ...(request.tools.length === 0 ? {} : { tools: toTools(request.tools) }),
        // Reasoning models would get "developer" here and others "system": one way for all keeps the bytes the same.
        providerOptions: { openai: { systemMessageMode: "system" } },
      }),
    );
    for await (const part of stream) {
      if (part.type === "error") {
        yield end(signal.aborted ? stopped : toFailure(part.error, state()));
        return;
      }
      if (part.type === "finish" && isCutOff(part.finishReason)) {
        yield end(cutOff(state()));
        return;
      }
      if (part.type === "tool-input-delta") argumentsLength += part.delta.length;
      if (argumentsLength > maxArgumentsLength) {
        yield end(tooLarge(id));
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
