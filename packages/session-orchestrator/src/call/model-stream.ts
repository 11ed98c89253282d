import type { ModelEvent, ModelRequest } from "@incipit/service-contract";
import * as z from "zod";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { StepFailure } from "../failures/step-failure.ts";
import { parseModelEvent } from "./parse-model-event.ts";
import type { SendableMessages } from "./model-messages.ts";
import type { FoundModel } from "../models/find-model.ts";
import { EventWaits } from "../waits/event-waits.ts";

export type ModelReplyEvent = Exclude<ModelEvent, { readonly type: "failure" }>;

export interface ModelStreamOptions extends Omit<ModelRequest, "model"> {
  readonly found: FoundModel;
  readonly model: string;
  readonly sendable: SendableMessages;
}

/**
 * Has a timeout per event. Leaving the iteration aborts the request.
 *
 * @throws {StepFailure} the model's failure; `CANCELLED` once `signal` aborts, `TIMEOUT`, `CUT_OFF`. Errors of the
 * provider or of `observe`.
 */
export async function* modelStream(
  context: Pick<OrchestratorContext, "clock" | "settings" | "redactor">,
  { found, model, sendable, ...request }: ModelStreamOptions,
): AsyncGenerator<ModelReplyEvent> {
  const { clock, settings } = context;
  const { signal } = request;
  const timeoutMs = settings.idleTimeoutMs;
  const ended = new AbortController();
  const given = found.provider.stream({
    ...request,
    model: found.name,
    messages: sendable.for(found, request.messages),
    signal: AbortSignal.any([signal, ended.signal]),
  });
  const iterator = eventsOf(given, model)[Symbol.asyncIterator]();
  const waits = new EventWaits(iterator, { timeoutMs, clock, signal });
  try {
    for (;;) {
      const next = await waits.next();
      if (next.kind === "aborted") throw failure("CANCELLED", `The call of "${model}" was stopped`);
      if (next.kind === "timeout") throw failure("TIMEOUT", `"${model}" sent nothing for ${timeoutMs / 1_000} s`);
      if (next.kind === "done") throw failure("CUT_OFF", `"${model}" stopped in the middle of its reply`);
      const event = parseModelEvent(next.value, model);
      if (event.type === "failure") {
        const { error } = event; // The message may quote the request.
        throw new StepFailure({ ...error, message: context.redactor.redact(error.message) });
      }
      yield event;
      if (event.type === "finish") return;
    }
  } finally {
    waits.end();
    ended.abort();
    // Not awaited, because a provider may ignore its signal.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Third-party providers may return a promise of events. @throws {StepFailure} */
function eventsOf(given: unknown, model: string): AsyncIterable<ModelEvent> {
  const events = eventsSchema.safeParse(given);
  if (events.success) return events.data;
  const later = z.custom<PromiseLike<unknown>>((value) => value instanceof Promise).safeParse(given);
  if (!later.success) throw failure("BAD_RESPONSE", `The provider of "${model}" gave no events to iterate`);
  return (async function* () {
    yield* eventsOf(await later.data, model);
  })();
}

const eventsSchema = z.custom<AsyncIterable<ModelEvent>>(
  (value) => typeof value === "object" && value !== null && Symbol.asyncIterator in value,
);

function failure(code: string, message: string): StepFailure {
  return new StepFailure({ code, message, isRetryable: false });
}
